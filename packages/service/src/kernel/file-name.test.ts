import { expect, test } from 'vitest';
import { isFileName } from './file-name.ts';

test.each(['nul', 'CON', 'Aux.1', 'com1', 'LPT9.txt', 'run.', 'run..'])(
  '%s is no file name on every system',
  (name) => {
    expect(isFileName(name)).toBe(false);
  },
);

test.each(['null', 'console', 'run-1', 'a.nul', 'com10', 'r.1'])('%s is a file name on every system', (name) => {
  expect(isFileName(name)).toBe(true);
});
