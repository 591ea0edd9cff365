import { expect, test } from 'vitest';
import { sessionFactsSample } from '../../../../../tests/samples.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import type { ObservationBatch, ObservedSession } from './contract.ts';
import { Observers } from './observers.ts';

const lives = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const;
const session = (sessionId: string): ObservedSession => sessionFactsSample({ sessionId });
const batch = (sequence: number, more: Partial<ObservationBatch> = {}): ObservationBatch => ({
  observer: 'devbox',
  life: lives[0],
  sequence,
  sentAt: '2026-01-01T09:00:00.000Z',
  ...more,
});
const at = (monotonic: number) => ({ wall: Date.UTC(2026, 0, 1, 9), monotonic });

test('the first message of an observer is everything, and later ones are what changed', () => {
  const observers = new Observers();
  expect(observers.receive(batch(1, { sessions: [session('a')] }), at(0))).toMatchObject({ resend: true });
  observers.receive(batch(2, { whole: true, sessions: [session('a'), session('b')] }), at(0));
  observers.receive(batch(3, { goneSessions: ['a'] }), at(0));
  expect([...(observers.get('DevBox')?.session.keys() ?? [])]).toEqual(['b']);
  expect(observers.get('devbox')?.session.get('b')).toMatchObject({ host: 'devbox', via: 'observer' });
});

test('a message that is missing is asked for again, and one that comes twice changes nothing', () => {
  const observers = new Observers();
  observers.receive(batch(1, { whole: true, sessions: [session('a')] }), at(0));
  expect(observers.receive(batch(3, { goneSessions: ['a'] }), at(0))).toMatchObject({ resend: true });
  expect(observers.receive(batch(1, { whole: true, sessions: [] }), at(0))).toMatchObject({ resend: false });
  expect(observers.get('devbox')?.session.size).toBe(1);
});

test('an observer that is silent for 30 seconds is lost, never gone, and is right again when it is back', () => {
  const observers = new Observers();
  observers.receive(batch(1, { whole: true, sessions: [session('a')] }), at(0));
  expect(observers.checkSilence(30_000).lost).toEqual([]);
  expect(observers.checkSilence(30_001)).toMatchObject({ lost: ['devbox'], sessions: ['a'] });
  expect(observers.get('devbox')).toMatchObject({ away: true });
  expect(observers.receive(batch(2), at(40_000))).toMatchObject({ changes: { sessions: ['a'] } });
  expect(observers.get('devbox')).toMatchObject({ away: false });
});

test('of two observers of one name the second is refused and named, until the first is silent or left', () => {
  const observers = new Observers();
  const second = batch(1, { whole: true, life: lives[1] });
  observers.receive(batch(1, { whole: true }), at(0));
  const refused = observers.receive(second, at(5_000));
  expect(isRefusal(refused) && refused).toMatchObject({ code: 'observer_name_taken' });
  expect(observers.receive(second, at(12_000))).toMatchObject({ resend: false });
  expect(observers.get('devbox')?.life).toBe(lives[1]);
  observers.receive(batch(2, { whole: true, life: lives[1], leaves: true }), at(12_000));
  expect(observers.has('devbox')).toBe(false);
  expect(observers.receive(batch(1, { whole: true }), at(12_000))).toMatchObject({ resend: false });
});

test('an observer that restarts is registered again, and its clock is compared each time', () => {
  const observers = new Observers();
  observers.receive(batch(1, { whole: true, enter: 'ssh box', sessions: [session('a')] }), at(0));
  expect(observers.get('devbox')?.session.get('a')?.enter).toBe('ssh box');
  observers.receive(batch(2, { sentAt: '2026-01-01T09:04:00.000Z' }), at(5_000));
  expect(observers.get('devbox')).toMatchObject({ enter: 'ssh box', clockOffsetMs: 240_000 });
  observers.receive(batch(1, { whole: true, life: lives[1] }), at(60_000));
  expect(observers.get('devbox')).toMatchObject({ enter: null });
});

test('after a day without a word an observer is forgotten with its sessions', () => {
  const observers = new Observers();
  observers.receive(batch(1, { whole: true, sessions: [session('a')] }), at(0));
  expect(observers.checkSilence(24 * 60 * 60_000 + 1).sessions).toEqual(['a']);
  expect([...observers.all()]).toEqual([]);
});
