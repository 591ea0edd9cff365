import { expect, onTestFinished, test, vi } from 'vitest';
import { ListPage } from '../kernel/list.ts';
import { boundedAnswer, boundedPagedJson, defaultBytes } from './tool-answer.ts';

/** Counts the characters that are serialised as JSON from now on. */
function countWritten(): () => number {
  const write = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => write.mockRestore());
  return () => write.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
}

const around = { run: { runId: 'r1' }, lanes: [] };

test('of a list that is longer than an agent can afford only what fits is ever made', () => {
  let made = 0;
  function* items() {
    for (let uid = 0; uid < 50_000; uid += 1) {
      made += 1;
      yield { uid, text: 'x'.repeat(100) };
    }
  }
  const { body, text } = boundedPagedJson(
    { members: around, listName: 'scenarios', items: items(), total: 50_000 },
    8192,
  );
  const kept = (body.scenarios as unknown[]).length;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
  expect(kept).toBeGreaterThan(50);
  expect(made).toBe(kept + 1);
  expect(body).toMatchObject({ ...around, truncated: true, leftOff: 50_000 - kept, next: null });
  expect(JSON.parse(text)).toEqual(body);
});

test('a list that fits is complete and not marked as truncated', () => {
  const items = [{ uid: 1 }, { uid: 2 }];
  expect(boundedPagedJson({ members: around, listName: 'scenarios', items, total: 2 }, 8192).body).toEqual({
    ...around,
    scenarios: items,
  });
});

test('what is left off is counted, whichever list it was in', () => {
  const lanes = Array.from({ length: 100 }, (_, lane) => ({ lane, text: 'x'.repeat(100) }));
  const { body, text } = boundedPagedJson(
    { members: { lanes }, listName: 'scenarios', items: [{ uid: 1 }], total: 1 },
    2048,
  );
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  expect(body.leftOff).toBe(101 - (body.lanes as unknown[]).length - (body.scenarios as unknown[]).length);
});

test('an item that is too large is answered with the part of its own list that fits', () => {
  const tests = Array.from({ length: 400 }, (_, uid) => ({ uid: `Cart/${uid}`, message: 'connection refused' }));
  const group = (signature: string, count: number) => ({ signature, count, tests: tests.slice(0, count) });
  const groups = [group('connection refused', 400), group('timeout', 300), group('expected <n>', 2)];
  const { body, text } = boundedAnswer({ runId: 'r1', groups }, defaultBytes);
  const told = body.groups as typeof groups;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(defaultBytes);
  expect(told.map(({ count }) => count)).toEqual([400, 300, 2]);
  expect(told.every((one) => one.tests.length > 1)).toBe(true);
  const left = 702 - told.reduce((sum, one) => sum + one.tests.length, 0);
  expect(body).toMatchObject({ truncated: true, leftOff: left, next: null });
  expect(boundedAnswer({ groups: [{ text: 'x'.repeat(9000), tests: [1] }] }, defaultBytes).body.groups).toEqual([]);
});

test('a page whose first item is too large is marked, so that it is not mistaken for the end', () => {
  const list = new ListPage([{ text: 'x'.repeat(9000) }, { text: 'short' }], 2, 0);
  expect(boundedAnswer(list, defaultBytes).body).toMatchObject({
    items: [],
    next: { offset: 0 },
    detail: expect.stringContaining('larger than maxBytes'),
  });
  expect(boundedAnswer(new ListPage([{ text: 'short' }], 2, 1), defaultBytes).body).not.toHaveProperty('detail');
});

test('texts of many megabytes are left off without being written out', () => {
  const scenario = (n: number) => ({
    uid: `u${n}`,
    steps: [{ text: 'x'.repeat(1_000_000) }],
    errorMessage: 'y'.repeat(900_000),
  });
  const scenarios = [{ uid: 'small', steps: [] }, ...Array.from({ length: 60 }, (_, n) => scenario(n))];
  // Parsed, as if read from an archive.
  const run = JSON.parse(JSON.stringify({ run: { suite: 'z'.repeat(2_000_000) }, scenarios, lanes: [] }));
  const written = countWritten();
  const { body, text } = boundedAnswer(run, defaultBytes);
  expect(written()).toBeLessThan(1_000_000);
  expect(body).toMatchObject({ truncated: true, leftOff: 61, scenarios: [] });
  expect(text.length).toBeLessThan(3 * defaultBytes);
});

test('a list within an object is cut as well, and what is left off of it is counted', () => {
  const types = Array.from({ length: 20_000 }, (_, n) => ({ name: `Type${n}`, slices: [`slice ${n}`] }));
  const slices = Array.from({ length: 5_000 }, (_, n) => ({ name: `slice ${n}` }));
  const coverage = { model: 'm', summary: { slices: 5_000 }, slices, drift: { undeclared: [], untouched: types } };
  const written = countWritten();
  const { body, text } = boundedAnswer(coverage, defaultBytes);
  expect(written()).toBeLessThan(1_000_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(defaultBytes);
  const told = body as typeof coverage & { leftOff: number };
  expect(told.slices.length).toBeGreaterThan(20);
  expect(told.drift.untouched.length).toBeGreaterThan(20);
  expect(told.leftOff).toBe(25_000 - told.slices.length - told.drift.untouched.length);
  expect(told).toMatchObject({ model: 'm', summary: coverage.summary, truncated: true, next: null });
  expect(JSON.parse(text)).toEqual(body);
});

test('of many items only those that could fit are measured', () => {
  let looks = 0;
  const items = Array.from({ length: 50_000 }, (_, n) => ({
    toJSON() {
      looks += 1;
      return { n, text: 'x'.repeat(100) };
    },
  }));
  const { body } = boundedAnswer(new ListPage(items, 60_000, 0), defaultBytes);
  const kept = (body.items as unknown[]).length;
  expect(looks).toBeLessThan(2_000);
  expect(body).toMatchObject({ total: 60_000, leftOff: 50_000 - kept, next: { offset: kept } });
});
