import { expect, test } from 'vitest';
import { type Found, stepsOf, upgradeText } from './upgrade-command.ts';

const found: Found = {
  program: '0.2.0',
  service: '0.2.0',
  running: { version: '0.2.0', pid: 7, urls: ['http://localhost:6150'] },
  dataPath: '/data',
  database: null,
  store: { found: 4, newest: 4 },
  checks: [{ about: 'unit', state: 'ok', found: 'not installed' }],
};

test('nothing to do if program, service and store match', () => {
  expect(stepsOf(found)).toEqual([]);
  expect(stepsOf({ ...found, service: null, store: { found: null, newest: 4 } })).toEqual([]);
  expect(upgradeText(found, [])).toMatch(
    /service +0\.2\.0, process 7, http:\/\/localhost:6150\ndata path +\/data\nstore +sqlite, version 4; this program writes 4\nunit +not installed\n\nEverything is up to date/,
  );
});

test('an older store is backed up before it is migrated', () => {
  const steps = stepsOf({ ...found, store: { found: 3, newest: 4 } });
  expect(steps[0]).toContain('signalbox backup');
  expect(steps.at(-1)).toContain('one transaction');
});

test('missing requirements of the machine come first', () => {
  const checks = [{ about: 'unit', state: 'todo' as const, found: 'it lacks the command start' }];
  expect(stepsOf({ ...found, checks })).toEqual(['unit: it lacks the command start.']);
  expect(stepsOf({ ...found, checks, store: { found: 3, newest: 4 } })).toHaveLength(4);
});

test('a store of a newer program is left alone, and an older service is restarted', () => {
  expect(stepsOf({ ...found, store: { found: 5, newest: 4 } })).toEqual([expect.stringContaining('newer Signalbox')]);
  expect(stepsOf({ ...found, service: '0.1.0' }).at(-1)).toBe(
    'Restart the service: 0.1.0 is running, 0.2.0 is installed.',
  );
});
