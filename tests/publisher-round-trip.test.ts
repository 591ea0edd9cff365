import { expect } from 'vitest';
import type { MonitorEvent as Sent } from '../packages/publisher/src/events.ts';
import { monitorEvents, type MonitorEvent as Read } from '../packages/service/src/console/runs/events.ts';
import { readEvent } from '../packages/service/src/console/runs/read-event.ts';
import { recorded } from './recorded-run.ts';
import { verifies } from './verifies.ts';

/** Compiles only while both copies have the same types, and every sent event can be read. */
type Same = [Sent['type'], Read['type']] extends [Read['type'], Sent['type']] ? true : never;
const same: Same = true;
const asRead = (event: Sent): Read => event;
/** Compiles only while each copy has every member of the other. */
type Members<Event> = Event extends { type: infer Type extends string }
  ? `${Type}.${Exclude<keyof Event, symbol> & string}`
  : never;
const sentMembers: Record<Members<Sent>, true> = {} as Record<Members<Read>, true>;
const readMembers: Record<Members<Read>, true> = {} as Record<Members<Sent>, true>;

/** Events that the older recorded run does not contain. */
const newer: readonly Sent[] = [
  { type: 'participant_started', runId: 'r-1', participant: '2/3', due: 3, at: '2026-01-01T10:00:00.000Z' },
  {
    type: 'participant_finished',
    runId: 'r-1',
    participant: '2/3',
    exitCode: 0,
    ...{ passed: 1, failed: 0, passedOnRetry: 0, indeterminate: 0, skipped: 0 },
    at: '2026-01-01T10:01:00.000Z',
  },
  {
    type: 'attachment',
    runId: 'r-1',
    ...{ uid: 'cart > adds', attempt: 1, name: 'note.txt', mediaType: 'text/plain', size: 2, data: 'aGk=' },
    sha256: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4',
  },
];

verifies('ingest:round-trip', 'an event goes through both copies and comes out as it was', () => {
  expect([same, sentMembers, readMembers]).toEqual([true, {}, {}]);
  const known = [...recorded, ...newer].filter(({ type }) => type in monitorEvents);
  expect(new Set(known.map(({ type }) => type)).size).toBe(Object.keys(monitorEvents).length);
  for (const event of known as readonly Sent[]) {
    const taken = readEvent(JSON.parse(JSON.stringify(asRead(event))));
    if (typeof taken === 'string') throw new Error(taken);
    expect(taken.raw).toEqual(event);
    expect(taken.event && withoutTimes(taken.event)).toEqual(withoutTimes(event));
  }
});

/** Times are the same instants, converted to UTC when they are read. */
const withoutTimes = (event: object): object =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, /^(at|.*At)$/.test(name) && value ? Date.parse(value) : value]),
  );
