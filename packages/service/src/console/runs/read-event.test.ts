import { expect, test } from 'vitest';
import { readEvent } from './read-event.ts';

const read = (event: object) => readEvent({ runId: 'Run-1', ...event });

test('numbers in strings become numbers, times UTC, and run ids lower case', () => {
  expect(
    read({ type: 'scenario_started', uid: 'a', attempt: '2', at: '2026-11-15T12:00:00.1234567+02:00' }),
  ).toMatchObject({ runId: 'run-1', event: { runId: 'run-1', attempt: 2, at: '2026-11-15T10:00:00.123Z' } });
});

test('the raw event is kept as it was sent', () => {
  const raw = { runId: 'R', type: 'run_started', totalScenarios: '3', later: { a: 1 } };
  const taken = readEvent(raw);
  expect(taken).toMatchObject({ raw, event: { totalScenarios: 3, later: { a: 1 } } });
  expect(raw.totalScenarios).toBe('3');
});

test('an event of an unknown type is kept and not checked', () => {
  expect(read({ type: 'coverage_measured', uid: 7 })).toMatchObject({ event: null });
});

test.each([
  ['no object', null],
  ['no run id', { type: 'run_started', runId: undefined }],
  ['a run id that leaves its folder', { type: 'run_started', runId: '../x' }],
  ['a run id of 101 characters', { type: 'run_started', runId: 'x'.repeat(101) }],
  ['no type', {}],
  ['a number for a text', { type: 'scenario_started', uid: 7 }],
  ['a word for a number', { type: 'scenario_started', uid: 'a', attempt: 'two' }],
  ['a number without end', { type: 'scenario_started', uid: 'a', attempt: Number.POSITIVE_INFINITY }],
  ['a time that is none', { type: 'run_heartbeat', at: 'yesterday' }],
  ['a list for an object', { type: 'scenario_finished', uid: 'a', touchedTypes: [1] }],
])('%s is refused alone', (_, event) => {
  expect(typeof (event === null ? readEvent(null) : read(event))).toBe('string');
});

test('an event that nests too deeply is rejected', () => {
  const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000));
  expect(read({ type: 'run_heartbeat', more: deep })).toContain('levels deep');
  expect(read({ type: 'unheard_of', more: deep })).toContain('levels deep');
});

test('a very long text is shortened for display, but not in the archive, in a name or in a file', () => {
  const long = 'x'.repeat(100_000);
  const raw = { runId: 'r', type: 'scenario_finished', uid: 'a', errorMessage: long, stdout: ['a', long] };
  const short = `${long.slice(0, 65_536)}\n… 34464 more characters are in the export as NDJSON.`;
  expect(readEvent(raw)).toMatchObject({ event: { errorMessage: short, stdout: ['a', short] } });
  expect(raw.errorMessage).toHaveLength(100_000);
  expect(read({ type: 'attachment', uid: 'a', data: long })).toMatchObject({ event: { data: long } });
  expect(read({ type: 'test_started', uid: long })).toBe('uid must be a string of at most 65536 characters');
  const cells = [{ name: 'total', expected: long, actual: '1' }];
  expect(read({ type: 'step_finished', uid: 'a', stepId: 's', cells })).toMatchObject({
    event: { cells: [{ expected: short, actual: '1' }] },
  });
});
