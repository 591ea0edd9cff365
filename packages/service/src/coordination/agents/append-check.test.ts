import { expect, test } from 'vitest';
import { createAppendCheck } from './append-check.ts';
import type { RegistryEntry, SessionScan } from './ports.ts';

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
