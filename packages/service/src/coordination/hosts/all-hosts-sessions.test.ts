import { expect, test } from 'vitest';
import type { SessionFacts } from '../agents/session-state.ts';
import type { TreeFacts } from '../agents/tree.ts';
import { sessionsOfAllHosts } from './all-hosts-sessions.ts';
import { OtherHosts } from './other-hosts.ts';

const session = (state: SessionFacts['state']) =>
  ({ sessionId: 's-1', state, live: state === 'running' }) as SessionFacts;
const tree = { root: '/r/.claude/worktrees/fern', sessions: ['s-1'], needsCleanup: true } as unknown as TreeFacts;

test('in a home that two hosts mount no session is asked to clean up where one of the other host works', () => {
  const neighbours = new OtherHosts();
  const seen = sessionsOfAllHosts(
    { sessions: () => [session('gone')], get: () => undefined, trees: () => [tree] },
    neighbours,
  );
  expect(seen.trees()).toMatchObject([{ needsCleanup: true }]);
  const row = { key: 'van', name: 'van', url: null, items: 1, silentMs: 0 };
  const told = (revision: number, state: SessionFacts['state']) =>
    neighbours.fold([{ ...row, revision, changed: [{ kind: 'session', id: 's-1', body: session(state) }] }], 0);
  told(1, 'running');
  expect(seen.trees()).toMatchObject([{ needsCleanup: false }]);
  told(2, 'gone');
  expect(seen.trees()).toMatchObject([{ needsCleanup: true }]);
});
