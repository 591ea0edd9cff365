import { randomUUID } from 'node:crypto';
import type { SessionFacts } from '../../packages/service/src/coordination/agents/session-state.ts';
import type { TreeFacts } from '../../packages/service/src/coordination/agents/tree.ts';
import { Observers } from '../../packages/service/src/coordination/observers/observers.ts';
import type { TreeChanges } from '../../packages/service/src/coordination/trees/overlaps.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { Outbox } from '../../packages/service/src/observer/outbox.ts';
import { randomOf } from '../random.ts';
import { sessionFactsSample } from '../samples.ts';

const start = Date.UTC(2026, 0, 1, 9);

/** The real sessions of one observer and what the board shows, under cuts, restarts and lost answers. */
export function tellStory(seed: number): { shown: unknown; there: unknown } {
  const { next: random } = randomOf(seed);
  const chance = (share: number) => random() < share;
  const there = {
    sessions: new Map<string, SessionFacts>(),
    trees: new Map<string, TreeFacts>(),
    changes: new Map<string, TreeChanges>(),
  };
  let service = new Observers();
  let outbox = newOutbox();
  let now = 0;
  const change = () => {
    const id = `s-${Math.floor(random() * 12)}`;
    if (chance(0.2)) there.sessions.delete(id);
    else there.sessions.set(id, factsOf(id, chance(0.5) ? 'running' : 'idle', start + now));
    const root = `/tree-${Math.floor(random() * 4)}`;
    if (chance(0.3)) there.trees.delete(root);
    else there.trees.set(root, treeOf(root, chance(0.5)));
    if (chance(0.3)) there.changes.delete(root);
    else there.changes.set(root, changesOf(root, there.changes.get(root), random));
  };
  const send = (isCut: boolean, isAnswerLost: boolean) => {
    const observed = {
      sessions: [...there.sessions.values()],
      trees: [...there.trees.values()],
      changes: [...there.changes.values()],
    };
    const next = outbox.next(observed, start + now, true);
    if (!next) return;
    const answer = isCut ? null : service.receive(structuredClone(next.batch), { wall: start + now, monotonic: now });
    if (answer === null || isAnswerLost || isRefusal(answer)) outbox.failed();
    else outbox.sent(next.changes, answer.resend);
  };
  for (let step = 0; step < 60; step += 1) {
    now += Math.floor(random() * 20_000);
    const isCut = chance(0.4);
    for (let count = Math.floor(random() * 4); count > 0; count -= 1) change();
    if (chance(0.05)) service = new Observers();
    if (chance(0.05)) outbox = newOutbox();
    service.checkSilence(now);
    send(isCut, chance(0.2));
  }
  // The connection is back: the name of an earlier life is free after two heartbeats, and missing data is requested.
  now += 15_000;
  for (let beat = 0; beat < 3; beat += 1) send(false, false);
  const observer = service.get('box');
  const withHost = (facts: Iterable<{ host: string }>) => [...facts].map((one) => ({ ...one, host: 'box' }));
  const byKey = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  const seen = [...(observer?.session.values() ?? [])].map(({ via: _, ...one }) => one);
  return {
    shown: [
      observer?.away,
      seen.sort(byKey),
      [...(observer?.tree.values() ?? [])].sort(byKey),
      [...(observer?.changes.values() ?? [])].sort(byKey),
    ],
    there: [
      false,
      withHost(there.sessions.values()).sort(byKey),
      withHost(there.trees.values()).sort(byKey),
      withHost(there.changes.values()).sort(byKey),
    ],
  };
}

const newOutbox = () => new Outbox({ observer: 'box', life: randomUUID(), version: '1', enter: undefined });

const factsOf = (sessionId: string, state: 'running' | 'idle', at: number): SessionFacts =>
  sessionFactsSample({ sessionId, state, lastActivityAt: new Date(at).toISOString() });

const treeOf = (root: string, contested: boolean): TreeFacts => ({
  host: 'box',
  root,
  mainRoot: root,
  repository: null,
  branch: null,
  worktree: false,
  onDisk: true,
  sessions: [],
  live: [],
  contested,
  needsCleanup: false,
});

/** The changing paths of a tree: some appear, some disappear, and some differ. Sorted, as the service stores them. */
function changesOf(root: string, before: TreeChanges | undefined, random: () => number): TreeChanges {
  const paths = new Map(before?.paths.map((one) => [one.path, one]));
  for (let count = 0; count < 5; count += 1) {
    const path = `src/${Math.floor(random() * 10)}.ts`;
    const lines = Math.floor(random() * 3);
    if (random() < 0.3) paths.delete(path);
    else paths.set(path, { path, change: 'modified', lines, in: [], since: '', behindSince: null });
  }
  const sorted = [...paths.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const branch = random() < 0.5 ? 'main' : 'other';
  return {
    host: 'box',
    root,
    repository: 'acme/shop',
    branch,
    defaultBranch: 'main',
    ignoresCase: false,
    truncated: false,
    paths: sorted,
  };
}
