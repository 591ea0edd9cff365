import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createAgentHome, finalAnswer, toolUse } from '../agents/agent-home.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

type Seen = { sessionId: string; state: string; reason: string; activity: string | null };

const sessionOf = async (service: Started, sessionId: string): Promise<Seen | undefined> =>
  (await service.call('GET', '/api/agents')).body.sessions.find((one: Seen) => one.sessionId === sessionId);

async function until(service: Started, sessionId: string, state: string): Promise<void> {
  await expect.poll(async () => (await sessionOf(service, sessionId))?.state, { interval: 20 }).toBe(state);
}

verifies(
  ['session:live', 'session:seen-process-ended', 'agents:one', 'session:members'],
  'a living session is seen running, then idle, then gone',
  async () => {
    await using scene = await createAgentHome();
    const repository = await scene.repository('shop', 'acme/shop');
    await using service = await start({
      settings: { SessionsPath: scene.config, HostName: 'box' },
      clock: systemClock,
    });
    const session = await scene.session(1, repository);

    await session.appendRecord({ type: 'user', promptSource: 'typed', message: { content: 'Go.' } });
    await session.reportStatus('busy');
    await until(service, session.sessionId, 'running');
    await session.appendRecord(toolUse('Bash'));
    await expect.poll(async () => (await sessionOf(service, session.sessionId))?.reason).toBe('tool:Bash');

    await session.appendRecord(finalAnswer);
    await session.reportStatus('idle');
    await until(service, session.sessionId, 'idle');
    expect((await service.call('GET', `/api/agents/${session.sessionId}`)).body).toEqual({
      sessionId: session.sessionId,
      host: 'box',
      tool: 'claude-code',
      cwd: repository,
      launchCwd: repository,
      live: true,
      state: 'idle',
      reason: 'end_turn',
      activity: null,
      since: expect.any(String),
      startedAt: expect.any(String),
      lastActivityAt: expect.any(String),
      branch: 'main',
      repository: 'acme/shop',
      tree: repository,
      pid: session.pid,
      title: 'stage-1',
      inferred: false,
      model: null,
      tokens: null,
      turns: 1,
      contextPercent: null,
      claims: [],
      overlaps: 0,
      runs: [],
    });

    await session.reportStatus('waiting', { waitingFor: 'permission prompt' });
    await expect.poll(async () => (await sessionOf(service, session.sessionId))?.activity).toBe('waiting');
    await session.kill();
    await until(service, session.sessionId, 'gone');
    expect((await sessionOf(service, session.sessionId))?.reason).toBe('killed_after:end_turn');
  },
);

test('a session is gone when its tool reports the end, and returns when it is resumed', async () => {
  await using scene = await createAgentHome();
  const repository = await scene.repository('shop', 'acme/shop');
  await using service = await start({ settings: { SessionsPath: scene.config }, clock: systemClock });
  const session = await scene.session(1, repository);
  await session.reportStatus('idle');
  await until(service, session.sessionId, 'idle');
  await session.exit();
  await until(service, session.sessionId, 'gone');
  const again = await scene.session(1, repository);
  await again.reportStatus('busy');
  await until(service, session.sessionId, 'running');
});

test('a pid that was given to another process is not mistaken for the session', async () => {
  await using scene = await createAgentHome();
  const repository = await scene.repository('shop', 'acme/shop');
  await using service = await start({ settings: { SessionsPath: scene.config }, clock: systemClock });
  const session = await scene.session(1, repository);
  await session.appendRecord(toolUse('Bash'));
  await session.reportStatus('busy');
  await until(service, session.sessionId, 'running');
  const other = JSON.parse(await readFile(session.registryFile, 'utf8'));
  await writeFile(session.registryFile, JSON.stringify({ ...other, procStart: '1' }));
  await until(service, session.sessionId, 'gone');
  expect((await sessionOf(service, session.sessionId))?.reason).toBe('killed_mid_turn');
});

verifies(
  ['tree:contested', 'tree:by-git-root', 'tree:worktree-is-own-root', 'link:two-worktrees-two-trees', 'tree:members'],
  'two live sessions contest one tree, not two worktrees; a deleted worktree is not the main one',
  async () => {
    await using scene = await createAgentHome();
    const main = await scene.repository('shop', 'acme/shop');
    const fern = await scene.worktree('shop', 'fern');
    const lost = await scene.worktree('shop', 'lost');
    const [one, two, three] = [
      await scene.session(1, main),
      await scene.session(2, fern),
      await scene.session(3, lost),
    ];
    for (const session of [one, two, three]) await session.reportStatus('busy');
    for (const session of [one, two, three]) await session.appendRecord(toolUse('Bash'));
    await rm(lost, { recursive: true });
    await using service = await start({ settings: { SessionsPath: scene.config, HostName: 'box' } });
    const { trees } = (await service.call('GET', '/api/agents')).body;
    const tree = (root: string) => trees.find((each: { root: string }) => each.root === root);
    expect(tree(main)).toMatchObject({ sessions: [one.sessionId], contested: false });
    expect(tree(fern)).toMatchObject({ sessions: [two.sessionId], contested: false, worktree: true, mainRoot: main });
    expect(tree(lost)).toMatchObject({ sessions: [three.sessionId], onDisk: false, needsCleanup: false });

    const four = await scene.session(4, `${main}/src`);
    await scene.put('shop/src/x', '');
    await four.reportStatus('idle');
    await using later = await start({ settings: { SessionsPath: scene.config, HostName: 'box' } });
    const board = (await later.call('GET', '/api/agents')).body;
    expect(board.trees.find((each: { root: string }) => each.root === main)).toEqual({
      host: 'box',
      root: main,
      mainRoot: main,
      repository: 'acme/shop',
      branch: 'main',
      worktree: false,
      onDisk: true,
      sessions: expect.arrayContaining([one.sessionId, four.sessionId]),
      live: expect.arrayContaining([one.sessionId, four.sessionId]),
      owners: [],
      contested: true,
      needsCleanup: false,
      changes: null,
      changesTruncated: false,
      overlaps: 0,
    });
  },
);
