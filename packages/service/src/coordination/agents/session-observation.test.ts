import { expect, test } from 'vitest';
import type { StartFormat } from '../../platform/process-start.ts';
import type { RegistryEntry, SessionScan } from './ports.ts';
import { createAppendCheck, livenessOf } from './session-observation.ts';

const entry = { pid: 1, sessionId: 'a', liveness: 'live', status: 'busy' } as RegistryEntry;
const scan = (more: Partial<SessionScan> = {}) =>
  ({ tool: 't', path: '/p', ok: true, entries: [{ ...entry }], changed: new Set(['a']), ...more }) as SessionScan;
const poll = (one: SessionScan, more = {}) => ({
  scans: [one],
  onlyChanged: true,
  locationsChanged: false,
  ...more,
});
const isKnown = (sessionId: string) => sessionId === 'a';

test('records appended to known sessions need no look at the others', () => {
  const appends = createAppendCheck();
  expect(appends.areAll(poll(scan()), isKnown)).toBe(false);
  expect(appends.areAll(poll(scan()), isKnown)).toBe(true);
});

test.each([
  ['a poll that is for everything', scan(), { onlyChanged: false }],
  ['a directory that moved', scan(), { locationsChanged: true }],
  ['a session that is new', scan({ changed: new Set(['b']) }), {}],
  ['a process that is new', scan({ entries: [entry, { ...entry, pid: 2 }] }), {}],
  ['a process that says something else', scan({ entries: [{ ...entry, status: 'idle' }] }), {}],
  ['a source that cannot be read', scan({ ok: false }), {}],
])('%s makes it look at all', (_, next, more) => {
  const appends = createAppendCheck();
  appends.areAll(poll(scan()), isKnown);
  expect(appends.areAll(poll(next, more), isKnown)).toBe(false);
});

test('a source that could not be read before is looked at as a whole when it can', () => {
  const appends = createAppendCheck();
  appends.areAll(poll(scan({ ok: false })), isKnown);
  expect(appends.areAll(poll(scan()), isKnown)).toBe(false);
});

/** The registry's `procStart`, this system's start of the pid (undefined: no such process), and its format. */
const recorded: ReadonlyArray<
  [title: string, procStart: string | null, running: string | null | undefined, own: StartFormat | null, is: string]
> = [
  ['Linux, living', '104101', '104101', 'ticks', 'live'],
  ['Linux, pid given out again', '104101', '998877', 'ticks', 'reused'],
  ['Linux, dead', '104101', undefined, 'ticks', 'dead'],
  ['macOS, living', 'Thu Nov 12 08:31:05 2026', 'Thu Nov 12 08:31:05 2026', 'date', 'live'],
  ['macOS, living, a day of one digit', 'Thu Nov  5 08:31:05 2026', 'Thu Nov 5 08:31:05 2026', 'date', 'live'],
  ['macOS, pid given out again', 'Thu Nov 12 08:31:05 2026', 'Sat Nov 14 10:00:00 2026', 'date', 'reused'],
  ['macOS, dead', 'Thu Nov 12 08:31:05 2026', undefined, 'date', 'dead'],
  ['macOS, ps in a language that cannot be read', 'Thu Nov 12 08:31:05 2026', 'jeu. 12 nov. 08:31:05', 'date', 'live'],
  ['macOS, without ps', 'Thu Nov 12 08:31:05 2026', null, 'date', 'live'],
  ['a Mac, its folder shared with a Linux container', '104101', 'Thu Nov 12 08:31:05 2026', 'date', 'foreign'],
  ['a Linux container that shares a Mac’s folder', 'Thu Nov 12 08:31:05 2026', undefined, 'ticks', 'foreign'],
  ['WSL beside Windows', '134070123456789012', undefined, 'ticks', 'foreign'],
  ['Windows, whose starts are not read', '134070123456789012', null, null, 'live'],
  ['a registry without a start', null, '104101', 'ticks', 'live'],
];

test.each(recorded)('%s', (_, procStart, running, own, is) => {
  const living = new Map(running === undefined ? [] : [[7, running]]);
  expect(livenessOf(7, procStart, { living, own })).toBe(is);
});
