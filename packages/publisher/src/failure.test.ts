import { expect, test } from 'vitest';
import { failureOf, failuresOf } from './failure.ts';

const root = process.cwd();

test("a stack with paths relative to the runner's folder is mapped to the repository, and own code comes first", () => {
  const stack =
    'Error: x\n    at f (node_modules/lib/a.js:1:2)\n    at Context.<anonymous> (test/express.raw.js:379:10)';
  expect(failureOf({ message: 'x', stack }, root)).toMatchObject({
    file: 'test/express.raw.js',
    line: 379,
    column: 10,
  });
  const absolute = `Error: x\n    at /elsewhere/b.js:4:5\n    at async file://${root}/src/(group)/c.ts:7:8`;
  expect(failureOf({ message: 'x', stack: absolute }, root)).toMatchObject({ file: 'src/(group)/c.ts', line: 7 });
});

test('causes and the errors inside an aggregate are kept, and compared values keep their line breaks', () => {
  const inner = new TypeError('deep');
  const outer = new AggregateError([new Error('one'), new Error('two')], 'both', {
    cause: new Error('why', { cause: inner }),
  });
  const failures = failuresOf(outer, root);
  expect(failures.map(({ message }) => message)).toEqual(['both', 'one', 'two']);
  expect(failures[0]?.cause).toMatch(/Error: why[\s\S]*caused by TypeError: deep/);
  expect(failureOf({ message: 'x', expected: { a: 1 }, actual: 'b\nc' }, root)).toMatchObject({
    expected: '{\n  "a": 1\n}',
    actual: 'b\nc',
  });
});

test('an error with its message only in the stack gets that message', () => {
  expect(failureOf({ message: '', stack: 'Error: no ink\n    at x (a.js:1:1)' }, root).message).toBe('Error: no ink');
});
