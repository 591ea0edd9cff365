import { expect, test } from 'vitest';
import type { RecordedEvent } from '../kernel/event-log.ts';
import { checksummedId } from './event-checksum.ts';
import { archiveText, GapCheck, readArchiveText, topicToMove } from './moved-events.ts';
import type { RawEvent } from './raw-event.ts';

function raw(sequence: number, topic: string, version: number, data: object = { n: sequence }): RawEvent {
  const content = { stream: topic, version, topic, type: 'plan_changed', at: '2026-01-01T09:00:00.000Z', by: 'ada' };
  const text = JSON.stringify(data);
  const whole = { ...content, provenance: 'asserted' as const };
  return { sequence, ...whole, id: checksummedId(whole, text), data: text };
}

const recorded = (event: RawEvent) => ({ ...event, data: JSON.parse(event.data) }) as RecordedEvent;

function check(events: readonly RawEvent[], after = 0): void {
  const gaps = new GapCheck(after);
  for (const event of events) gaps.read(recorded(event));
  gaps.end();
}

const moved = (topic: string, log: readonly RawEvent[]): RawEvent[] => {
  const found = topicToMove(
    topic,
    log.filter((event) => event.topic === topic),
  );
  if (!found) throw new Error('nothing to move');
  return [...log.filter((event) => event.topic !== topic), found.marker].sort((a, b) => a.sequence - b.sequence);
};

const log = ['a', 'b', 'a', 'a', 'b', 'a', 'c'].map((slug, index) => raw(index + 1, `plan:${slug}`, index + 1));

test('what takes the place of a moved plan explains every gap, also after a second plan of that name and others', () => {
  check(log);
  const first = moved('plan:a', log);
  expect(first.map(({ sequence }) => sequence)).toEqual([2, 5, 6, 7]);
  check(first);
  const again = [...first, raw(8, 'plan:a', 7), raw(9, 'plan:a', 8)];
  const second = moved('plan:b', moved('plan:a', again));
  expect(second.map(({ sequence }) => sequence)).toEqual([5, 7, 9]);
  check(second);
  check(
    second.filter(({ sequence }) => sequence > 6),
    6,
  );
});

test('a gap that nothing explains is damage, wherever it is', () => {
  for (const lost of [1, 4, 6]) {
    const rest = log.filter(({ sequence }) => sequence !== lost);
    expect(() => check(rest)).toThrow(`event ${lost} is missing`);
  }
  const rest = moved('plan:a', log).filter(({ sequence }) => sequence !== 2);
  expect(() => check(rest)).toThrow('event 2 is missing');
});

test('an archive reads as it was written, and a changed letter in it is damage', () => {
  const text = archiveText(log);
  expect(readArchiveText(text)).toEqual(log.map(recorded));
  expect(() => readArchiveText(text.replace('"n":3', '"n":4'))).toThrow(
    'line 3 of the archive differs from what was written',
  );
  expect(() => topicToMove('plan:a', [raw(1, 'plan:a', 1), { ...raw(2, 'plan:a', 2), by: 'eve' }])).toThrow('event 2');
});
