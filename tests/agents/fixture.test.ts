import { expect, test } from 'vitest';
import { ClaudeSessions } from '../../packages/service/src/coordination/agents/io/claude-sessions.ts';
import { GitLocator } from '../../packages/service/src/coordination/agents/io/git-locator.ts';
import { createAgentWatch } from '../../packages/service/src/coordination/agents/watch.ts';
import { createAnnouncements } from '../../packages/service/src/kernel/announcements.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { verifies } from '../verifies.ts';
import { fixtureProcesses, layOutFixture } from './session-fixture.ts';

async function watchFixture(fixture: Awaited<ReturnType<typeof layOutFixture>>, more: Record<string, string> = {}) {
  const clock = createSettableClock(Date.parse(fixture.expected.now));
  const processes = await fixtureProcesses(more);
  const announcements = createAnnouncements();
  const told: object[] = [];
  announcements.listen((message) => told.push(message));
  const watch = createAgentWatch({
    host: 'box',
    readers: [new ClaudeSessions({ path: fixture.config, clock, processes, watches: false })],
    probe: new GitLocator({ processes }),
    clock,
    announcements,
    onFault: (error) => expect.fail(String(error)),
  });
  await watch.poll();
  return { watch, clock, told };
}

verifies(
  ['session:fixtures', 'session:waiting-is-running'],
  'every session of the fixture stands as expected',
  async () => {
    await using fixture = await layOutFixture();
    const { watch, told } = await watchFixture(fixture);
    const seen = watch.sessions().map(({ sessionId, state, reason, inferred, activity, tree, branch }) => ({
      sessionId,
      state,
      reason,
      inferred,
      activity,
      root: tree,
      branch,
    }));
    const wanted = Object.entries(fixture.expected.sessions).map(([sessionId, { case: _, ...expected }]) => ({
      sessionId,
      inferred: false,
      activity: null,
      ...expected,
    }));
    const order = (a: { sessionId: string }, b: { sessionId: string }) => (a.sessionId < b.sessionId ? -1 : 1);
    expect(seen.sort(order)).toEqual(wanted.sort(order));
    expect(wanted).toHaveLength(13);
    expect(told).toHaveLength(1);
  },
);

verifies(
  'tree:needs-cleanup',
  'the worktree whose session is gone needs cleanup, and its dead lock does not save it',
  async () => {
    await using fixture = await layOutFixture();
    const { watch } = await watchFixture(fixture);
    const root = `${fixture.root}/repos/shop/.claude/worktrees/blue-fern`;
    expect(watch.trees().find((tree) => tree.root === root)).toEqual({
      host: 'box',
      root,
      mainRoot: `${fixture.root}/repos/shop`,
      repository: 'acme/shop',
      branch: 'worktree-blue-fern',
      worktree: true,
      onDisk: true,
      sessions: ['00000007-0000-4000-8000-000000000007'],
      live: [],
      contested: false,
      needsCleanup: true,
    });
  },
);

verifies('tree:lock-suppresses-cleanup', 'a lock that a living process holds keeps the worktree', async () => {
  await using fixture = await layOutFixture();
  const { watch } = await watchFixture(fixture, { 4294107: '1' });
  expect(watch.trees().filter(({ needsCleanup }) => needsCleanup)).toEqual([]);
});

test('a half-written registry file of a living process makes the unseen unknown, and no one else', async () => {
  await using fixture = await layOutFixture();
  const { watch } = await watchFixture(fixture, { 4294199: '104199' });
  const unseen = ['00000007-0000-4000-8000-000000000007', '0000000d-0000-4000-8000-000000000013'];
  for (const { sessionId, state, reason } of watch.sessions()) {
    const expected = unseen.includes(sessionId)
      ? { state: 'unknown', reason: 'registry_degraded' }
      : { state: fixture.expected.sessions[sessionId]?.state, reason: fixture.expected.sessions[sessionId]?.reason };
    expect({ sessionId, state, reason }).toEqual({ sessionId, ...expected });
  }
  expect(watch.sources()).toEqual([
    {
      tool: 'claude-code',
      path: fixture.config,
      ok: true,
      detail: 'cannot read the registry file of a live process',
    },
  ]);
});
