import { expect, test } from 'vitest';
import { rerunCommands } from './rerun-commands.ts';

const commandsOf = (first: string, ...more: string[]) =>
  rerunCommands(
    { rerun: first },
    [first, ...more].map((rerun) => ({ rerun })),
  );

test('there is one command each to rerun a test, its file, and all failed tests', () => {
  expect(commandsOf("npx vitest run a.test.ts -t 'cart adds'", 'npx vitest run b.test.ts -t pays')).toEqual({
    test: "npx vitest run a.test.ts -t 'cart adds'",
    file: 'npx vitest run a.test.ts',
    failed: "npx vitest run a.test.ts b.test.ts -t 'cart adds|pays'",
  });
  expect(commandsOf("npx jest a.test.js -t '^adds$'", "npx jest a.test.js -t '^pays$'")).toMatchObject({
    file: 'npx jest a.test.js',
    failed: "npx jest a.test.js -t '^adds$|^pays$'",
  });
  expect(commandsOf("npx playwright test a.spec.js:2 -g 'x y'", 'npx playwright test b.spec.js:9 -g z')).toMatchObject({
    file: 'npx playwright test a.spec.js',
    failed: 'npx playwright test a.spec.js:2 b.spec.js:9',
  });
  expect(commandsOf('python -m pytest a.py::test_x', "python -m pytest 'b.py::test_y[1 2]'")).toMatchObject({
    file: 'python -m pytest a.py',
    failed: "python -m pytest a.py::test_x 'b.py::test_y[1 2]'",
  });
  expect(commandsOf('npx cucumber-js features/a.feature:3')).toEqual({
    test: 'npx cucumber-js features/a.feature:3',
    file: 'npx cucumber-js features/a.feature',
    failed: null,
  });
  expect(commandsOf("node --test --test-name-pattern='^a b$' a.test.js").file).toBe('node --test a.test.js');
});

test('commands of several runners are on a line each, and too many names are left out', () => {
  expect(commandsOf('npx jest a -t x', 'npx mocha b --grep y').failed).toBe('npx jest a -t x\nnpx mocha b --grep y');
  const many = Array.from({ length: 400 }, (_, n) => `npx vitest run a.test.ts -t 'a rather long name ${n}'`);
  expect(commandsOf(many[0] ?? '', ...many.slice(1)).failed).toBe('npx vitest run a.test.ts');
  expect(rerunCommands({ rerun: null }, [])).toEqual({ test: null, file: null, failed: null });
});
