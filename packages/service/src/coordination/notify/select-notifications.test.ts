import { expect, test } from 'vitest';
import { claimSample, runSample } from '../../../../../tests/samples.ts';
import type { Health } from '../../kernel/claim-view.ts';
import type { Message } from '../../kernel/messages.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import { NotificationSelector } from './select-notifications.ts';

const at = '2026-11-15T10:00:00.000Z';
const claim = (health: Health, fence = 1): Message<'claim_changed'> => ({
  type: 'claim_changed',
  data: { plan: 'release', node: 'tests', claim: claimSample({ health, reason: 'killed_mid_turn', fence }) },
});
const run = (state: RunSummary['state'], more: Partial<RunSummary> = {}): Message<'run_changed'> => ({
  type: 'run_changed',
  data: { run: runSample({ state, ...more }) },
});

test('an orphaned claim is told once, and again when it is another claim', () => {
  const chooser = new NotificationSelector();
  const told = [claim('held'), claim('orphaned'), claim('orphaned'), claim('orphaned', 2)].map(
    (m) => chooser.fromMessage(m, at).length,
  );
  expect(told).toEqual([0, 1, 0, 1]);
  expect(new NotificationSelector().fromMessage(claim('orphaned'), at)).toMatchObject([
    { type: 'claim_orphaned', subject: 'release/tests', text: expect.stringContaining('killed_mid_turn') },
  ]);
});

test('a run is told when it ends and is not green, not before and not twice', () => {
  const chooser = new NotificationSelector();
  expect(chooser.fromMessage(run('running', { failed: 1, green: null }), at)).toEqual([]);
  expect(chooser.fromMessage(run('finished', { failed: 1, exitCode: 1, green: false }), at)).toMatchObject([
    { type: 'run_failed', subject: 'r-1' },
  ]);
  expect(chooser.fromMessage(run('finished', { failed: 1, exitCode: 1, green: false }), at)).toEqual([]);
});

test('a green run is no news; one that lost tests is not green', () => {
  expect(new NotificationSelector().fromMessage(run('finished'), at)).toEqual([]);
  expect(new NotificationSelector().fromMessage(run('finished', { lost: 2, green: false }), at)).toHaveLength(1);
  expect(new NotificationSelector().fromMessage(run('orphaned', { exitCode: null, green: false }), at)).toHaveLength(1);
});

test('a node is told when what blocked it is gone; what was ready at first is not', () => {
  const chooser = new NotificationSelector();
  const node = (name: string, dependsOn: string[]) => ({ plan: 'release', node: name, dependsOn });
  expect(chooser.fromSnapshot({ ready: [node('a', ['x'])], contested: [] }, at)).toEqual([]);
  const told = chooser.fromSnapshot(
    { ready: [node('a', ['x']), node('b', ['a']), node('new', [])], contested: [] },
    at,
  );
  expect(told).toMatchObject([{ type: 'node_unblocked', subject: 'release/b' }]);
});

test('a tree is told when it becomes contested, and again after it was not', () => {
  const chooser = new NotificationSelector();
  const tree = { host: 'box', root: '/shop', live: 2 };
  const looks = [[], [tree], [tree], [], [tree]].map(
    (contested) => chooser.fromSnapshot({ ready: [], contested }, at).length,
  );
  expect(looks).toEqual([0, 1, 0, 0, 1]);
});

test('a tree at the same path of another host is another tree, and who works in it is told as it is', () => {
  const chooser = new NotificationSelector();
  const tree = { host: 'box', root: '/shop', live: 3 };
  chooser.fromSnapshot({ ready: [], contested: [] }, at);
  expect(chooser.fromSnapshot({ ready: [], contested: [tree] }, at)).toMatchObject([
    { subject: '/shop', text: '3 live sessions work in /shop.' },
  ]);
  expect(chooser.fromSnapshot({ ready: [], contested: [tree, { ...tree, host: 'van', live: 1 }] }, at)).toMatchObject([
    { subject: '/shop', text: 'Two processes of one session work in /shop.' },
  ]);
});
