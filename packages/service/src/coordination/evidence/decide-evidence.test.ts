import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { nodeKey } from '../../kernel/streams.ts';
import { evidenceAppend, type Observation, observeEvidence, signOffNode } from './decide.ts';
import { EvidenceProjection } from './evidence-projection.ts';
import { type Evidence, notYetObserved, proofOf } from './node-evidence.ts';

const suite = { kind: 'suite' as const };
const ref = { plan: 'Shop', node: 'parser' };
const key = nodeKey('Shop', 'parser');

function observed(...sights: Observation[]): { evidence: Evidence; events: number } {
  const book = new EvidenceProjection();
  let events = 0;
  for (const seen of sights) {
    const event = observeEvidence({ ref, binding: suite, evidence: book.of(key) }, suite, seen);
    if (!event) continue;
    events += 1;
    const append = evidenceAppend(ref, event, 'observer:suite');
    const [first] = append.events;
    book.apply({
      ...first,
      stream: append.stream,
      topic: append.topic,
      at: '2026-01-01T09:00:00.000Z',
    } as RecordedEvent);
  }
  return { evidence: book.of(key) ?? notYetObserved(suite), events };
}

test('an event is written only when what was observed changes', () => {
  const passed = { state: 'passed' as const, detail: 'run r1 passed', runId: 'r1' };
  expect(observed(passed, passed, passed).events).toBe(1);
  expect(observed(passed, { ...passed, runId: 'r2' }).events).toBe(2);
});

test('a done node stays done while a new run of its suite is live, and a failed one runs again', () => {
  const running = { state: 'running' as const, detail: 'run r2 is live', runId: 'r2' };
  expect(proofOf(observed({ state: 'passed', detail: '' }, running).evidence)).toBe('done');
  expect(proofOf(observed({ state: 'failed', detail: '' }, running).evidence)).toBe('running');
  expect(proofOf(observed({ ...running, settled: 'passed' }).evidence)).toBe('done');
  expect(proofOf(observed({ state: 'passed', detail: '' }, running, { state: 'failed', detail: '' }).evidence)).toBe(
    'failed',
  );
});

test('a failed check is not an observation: the last evidence remains, and its detail shows the error', () => {
  const { evidence } = observed(
    { state: 'passed', detail: 'run r1 passed', runId: 'r1' },
    { state: null, detail: 'the run was ejected' },
  );
  expect(evidence).toMatchObject({ state: 'passed', detail: 'the run was ejected', runId: 'r1' });
  expect(proofOf(evidence)).toBe('done');
});

test('what was seen of another binding is not evidence', () => {
  const node = { ref, binding: { kind: 'issue' as const, issue: 'a/b#1' }, evidence: undefined };
  expect(observeEvidence(node, suite, { state: 'passed', detail: '' })).toBeUndefined();
  expect(observeEvidence({ ...node, binding: null }, suite, { state: 'passed', detail: '' })).toBeUndefined();
});

test('nobody signs off their own work, in any spelling of the name', () => {
  const workers = { labels: new Set(['ada']), sessions: ['s-1'], tokens: ['ada'] };
  const node = { ref, binding: { kind: 'signOff' as const }, evidence: undefined, workers };
  const eve = { by: 'eve', session: null, token: null };
  expect(signOffNode(node, { ...eve, by: 'Ada' })).toMatchObject({ code: 'self_sign_off' });
  expect(signOffNode(node, { ...eve, session: 'S-1' })).toMatchObject({ code: 'self_sign_off' });
  expect(signOffNode(node, { ...eve, token: 'ada' })).toMatchObject({ code: 'self_sign_off' });
  expect(signOffNode(node, { ...eve, session: 's-2', token: 'eve' })).toMatchObject({ type: 'node_signed_off' });
});
