import { expect, test } from 'vitest';
import { runSample } from '../../../../../tests/samples.ts';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { keyOfRef, streams } from '../../kernel/streams.ts';
import { eventOfDay } from './day-events.ts';
import { type DayFacts, dayOf } from './decide.ts';

const at = (time: string): string => `2026-01-05T${time}:00.000Z`;
let sequence = 0;

const happened = (time: string, ref: string, type: string, data: object, by = 'ada'): RecordedEvent => {
  sequence += 1;
  const key = keyOfRef(ref);
  const stream = /evidence|signed/.test(type)
    ? streams.evidence(key)
    : type === 'claim_seen'
      ? streams.link(key)
      : streams.claim(key);
  const [plan = ''] = ref.split('/');
  const id = ref.slice(plan.length + 1);
  return {
    sequence,
    stream,
    version: 1,
    topic: streams.plan(plan),
    id: '',
    type,
    at: at(time),
    by,
    provenance: 'asserted',
    data: { id, ...data },
  };
};

const claimed = (time: string, ref: string, agent: string, more: object = {}): RecordedEvent =>
  happened(
    time,
    ref,
    'node_claimed',
    { agent, session: null, expiresAt: at('23:00'), leaseMinutes: 60, fence: 1, renewed: false, ...more },
    agent,
  );
const ended = { health: 'unlinked', reason: null };
const tokens = (input: number) => ({ tokens: { input, cached: 5, output: 0 } });

const day = (events: readonly RecordedEvent[], more: Partial<DayFacts> = {}) =>
  dayOf({
    since: at('08:00'),
    now: at('18:00'),
    by: 'agent',
    events: events.flatMap((event) => eventOfDay(event) ?? []),
    heldBefore: new Map(),
    submittedBefore: new Map(),
    lastHolder: () => null,
    nodeOf: (key) => ({ ref: key, title: key, repository: 'acme/shop', decidedByPerson: key.endsWith('signed') }),
    usedNow: () => 7,
    runs: [],
    ...more,
  });
const observed = (time: string, ref: string, from: string, to: string, settled = to): RecordedEvent =>
  happened(
    time,
    ref,
    'evidence_observed',
    { from, to, settled, detail: 'unit', url: null, runId: null },
    'observer:suite',
  );

test('a node counts as done once, for its last holder, and no longer when its evidence fails', () => {
  const work = [
    claimed('09:00', 'p/a', 'ada'),
    happened('10:00', 'p/a', 'claim_released', { agent: 'ada', ...ended, ...tokens(100) }),
    observed('10:30', 'p/a', 'notObserved', 'running', 'notObserved'),
    observed('11:00', 'p/a', 'running', 'passed'),
    observed('11:10', 'p/a', 'passed', 'running', 'passed'),
    observed('11:20', 'p/a', 'running', 'passed'),
  ];
  const { totals, rows, done } = day(work);
  expect(totals).toMatchObject({ done: 1, claims: 1, givenBack: 1, tokens: 100, heldMs: 3_600_000, failed: 0 });
  expect(rows).toMatchObject([{ key: 'ada', done: 1 }]);
  expect(done).toMatchObject([{ ref: 'p/a', agent: 'ada', at: at('11:00'), how: 'a suite' }]);
  const after = day([...work, observed('12:00', 'p/a', 'passed', 'failed')]);
  expect(after.totals).toMatchObject({ done: 0, failed: 1 });
  expect(after.done).toEqual([]);
});

test('expired, failed, submitted and taken-over claims are distinguished', () => {
  const { totals, takenBack } = day([
    claimed('09:00', 'p/a', 'ada'),
    happened('09:30', 'p/a', 'claim_expired', { agent: 'ada', ...ended, expiredAt: at('09:30') }),
    claimed('10:00', 'p/a', 'bob'),
    happened('10:30', 'p/a', 'claim_released', { agent: 'bob', ...ended, outcome: 'failed', error: 'no' }, 'bob'),
    claimed('11:00', 'p/b', 'cyd'),
    happened('11:30', 'p/b', 'claim_released', { agent: 'cyd', ...ended }, 'lena'),
    claimed('12:00', 'p/signed', 'ada'),
    happened('12:30', 'p/signed', 'claim_released', { agent: 'ada', ...ended, outcome: 'submitted' }),
    happened('12:30', 'p/signed', 'node_submitted', { agent: 'ada', session: null, note: null, hours: 4 }),
  ]);
  expect(totals).toMatchObject({ claims: 4, expired: 1, failed: 1, givenBack: 1, submitted: 1 });
  expect(totals.waitedMs).toBe(5.5 * 3_600_000);
  expect(takenBack).toEqual([
    { ref: 'p/b', agent: 'cyd', at: at('11:30'), how: 'released', by: 'lena' },
    { ref: 'p/a', agent: 'ada', at: at('09:30'), how: 'expired', by: 'ada' },
  ]);
});

test('a claim from before the window counts from its begin on, and a live one until now', () => {
  const held = { agent: 'ada', token: null, session: null, claimedAt: at('07:00'), expiresAt: at('19:00') };
  const { totals, lanes } = day(
    [happened('09:00', 'p/a', 'claim_released', { agent: 'ada', ...ended, ...tokens(3) })],
    {
      heldBefore: new Map([
        [keyOfRef('p/a'), held],
        [keyOfRef('p/b'), held],
      ]),
    },
  );
  expect(totals).toMatchObject({ claims: 0, heldMs: 11 * 3_600_000, tokens: 10 });
  expect(lanes).toEqual([
    {
      key: 'ada',
      bars: [
        { ref: 'p/a', from: at('08:00'), to: at('09:00'), end: 'released', agent: 'ada' },
        { ref: 'p/b', from: at('08:00'), to: at('18:00'), end: 'live', agent: 'ada' },
      ],
      waits: [],
    },
  ]);
});

test('rows are by agent, person, repository or plan; the token of a claim names its person', () => {
  const events = [
    claimed('09:00', 'p/a', 'ada/claude', { token: 'ada' }),
    claimed('09:00', 'q/b', 'ada/codex'),
    claimed('09:00', 'q/c', 'fleet-7', { token: 'bob' }),
  ];
  const keys = (by: DayFacts['by']) => day(events, { by }).rows.map(({ key, claims }) => [key, claims]);
  expect(keys('agent')).toEqual([
    ['ada/claude', 1],
    ['ada/codex', 1],
    ['fleet-7', 1],
  ]);
  expect(keys('person')).toEqual([
    ['ada', 2],
    ['bob', 1],
  ]);
  expect(keys('repository')).toEqual([['acme/shop', 3]]);
  expect(keys('plan')).toEqual([
    ['q', 2],
    ['p', 1],
  ]);
});

test('a run belongs to the holder of its node, or to its session, else to its publisher, else to nobody', () => {
  const events = [claimed('09:00', 'p/a', 'ada', { session: 's-1' }), claimed('09:00', 'p/b', 'bob')];
  const run = (more: object) =>
    runSample({ receivedAt: at('09:30'), tag: null, session: null, publisher: null, ...more });
  const { rows, totals } = day(events, {
    runs: [run({ tag: 'p/b' }), run({ session: 's-1', green: false }), run({ publisher: 'ci' }), run({})],
  });
  expect(totals).toMatchObject({ runs: 4, runsFailed: 1 });
  expect(rows.map(({ key, runs, runsFailed }) => [key, runs, runsFailed])).toEqual([
    ['ada', 1, 1],
    ['bob', 1, 0],
    ['ci', 1, 0],
    [null, 1, 0],
  ]);
});

test('a session that is idle between turns waits for its person', () => {
  const seen = (time: string, health: string) =>
    happened(time, 'p/a', 'claim_seen', { health, reason: null, fence: 1 });
  const { totals } = day([claimed('09:00', 'p/a', 'ada'), seen('10:00', 'stalled'), seen('10:25', 'held')]);
  expect(totals.waitedMs).toBe(25 * 60_000);
});

test('a signature ends the wait, before the end of the submission is noted', () => {
  const { awaited, totals, doneHow } = day([
    claimed('09:00', 'p/signed', 'ada'),
    happened('10:00', 'p/signed', 'claim_released', { agent: 'ada', ...ended, outcome: 'submitted' }),
    happened('10:00', 'p/signed', 'node_submitted', { agent: 'ada', session: null, note: null, hours: 4 }),
    happened('10:30', 'p/signed', 'node_signed_off', { note: null, revoked: false }, 'eve'),
  ]);
  expect([awaited, totals.waitedMs, doneHow]).toEqual([[], 30 * 60_000, { 'signed off': 1 }]);
});

test('what was submitted and proven is one bar that is done, with its wait below', () => {
  const { lanes, awaited, totals } = day([
    claimed('09:00', 'p/a', 'ada'),
    happened('10:00', 'p/a', 'claim_released', { agent: 'ada', ...ended, outcome: 'submitted' }),
    happened('10:00', 'p/a', 'node_submitted', { agent: 'ada', session: null, note: null, hours: 4 }),
    observed('10:20', 'p/a', 'notObserved', 'passed'),
    happened('10:20', 'p/a', 'submission_ended', { agent: 'ada', how: 'proven' }),
  ]);
  expect(lanes[0]?.bars).toMatchObject([{ end: 'done', from: at('09:00'), to: at('10:00') }]);
  expect(lanes[0]?.waits).toEqual([{ ref: 'p/a', from: at('10:00'), to: at('10:20') }]);
  expect(awaited).toEqual([]);
  expect(totals).toMatchObject({ done: 1, submitted: 1, givenBack: 0, waitedMs: 0 });
});

test('of the events of a day only what counts is kept, without the texts written with it', () => {
  const note = 'x'.repeat(20_000);
  const report = happened('10:00', 'p/a', 'claim_reported', { agent: 'ada', note, expiresAt: at('11:00') });
  expect(eventOfDay(report)?.data).toEqual({ id: 'a', agent: 'ada', note: '', expiresAt: at('11:00') });
  expect(eventOfDay({ ...report, stream: streams.repository('acme', 'shop'), type: 'note_added' })).toBeUndefined();
});
