import { expect, test } from 'vitest';
import { stepsOf, upgradeText } from './upgrade-command.ts';

const found = { program: '0.2.0', service: '0.2.0', store: { found: 4, newest: 4 } };

test('nothing is to be done where program, service and store fit', () => {
  expect(stepsOf(found)).toEqual([]);
  expect(stepsOf({ ...found, service: null, store: { found: null, newest: 4 } })).toEqual([]);
  expect(upgradeText(found, [])).toMatch(/store +version 4; this program writes 4\n\nEverything is up to date/);
});

test('an older store is backed up before it is brought forward', () => {
  const steps = stepsOf({ ...found, store: { found: 3, newest: 4 } });
  expect(steps[0]).toContain('signalbox backup');
  expect(steps.at(-1)).toContain('one transaction');
});

test('a store of a newer program is left alone, and an older service is restarted', () => {
  expect(stepsOf({ ...found, store: { found: 5, newest: 4 } })).toEqual([expect.stringContaining('newer Signalbox')]);
  expect(stepsOf({ ...found, service: '0.1.0' }).at(-1)).toBe(
    'Restart the service: 0.1.0 is running, 0.2.0 is installed.',
  );
});
