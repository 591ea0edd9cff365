import { binOf } from '../../publishers/project.ts';
import { isLong } from '../../rounds.ts';
import { filesOf, takesManyTests } from './many-tests.ts';

const body = (head: string, name = 'test') => `${head} for (let n = 0; n < 500; n++) ${name}('test ' + n, () => {});`;
const jestSettings = { 'package.json': '{"name":"shop","jest":{"transform":{}}}' };

takesManyTests({
  name: 'Vitest',
  packages: ['vitest'],
  args: [binOf('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=signalbox-publisher/vitest'],
  plainArgs: [binOf('vitest/vitest.mjs'), 'run', '--reporter=dot'],
  files: filesOf(
    10,
    (n) => `many-${n}.test.js`,
    () => body(`import { test } from 'vitest';`),
  ),
});

takesManyTests({
  name: 'node:test',
  packages: [],
  args: [
    '--test',
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=signalbox-publisher/node-test',
    '--test-reporter-destination=stderr',
  ],
  plainArgs: ['--test', '--test-reporter=dot'],
  files: filesOf(
    10,
    (n) => `many-${n}.test.js`,
    () => body(`import { test } from 'node:test';`),
  ),
});

// The others take longer and test nothing new in the console.
if (isLong) {
  takesManyTests({
    name: 'Mocha',
    packages: ['mocha'],
    args: [
      binOf('mocha/bin/mocha.js'),
      'test/*.test.js',
      '--reporter',
      'signalbox-publisher/mocha',
      '--reporter-option',
      'inner=dot',
    ],
    plainArgs: [binOf('mocha/bin/mocha.js'), 'test/*.test.js', '--reporter', 'dot'],
    files: filesOf(
      10,
      (n) => `test/many-${n}.test.js`,
      () => body('', 'it'),
    ),
  });
  takesManyTests({
    name: 'Jest',
    packages: ['jest'],
    args: [binOf('jest/bin/jest.js'), '--maxWorkers=2', '--reporters=default', '--reporters=signalbox-publisher/jest'],
    plainArgs: [binOf('jest/bin/jest.js'), '--maxWorkers=2'],
    files: {
      ...jestSettings,
      ...filesOf(
        10,
        (n) => `many-${n}.test.js`,
        () => body(''),
      ),
    },
  });
  takesManyTests({
    name: 'Playwright',
    packages: ['@playwright/test'],
    args: [binOf('@playwright/test/cli.js'), 'test', '--workers=2', '--reporter=dot,signalbox-publisher/playwright'],
    plainArgs: [binOf('@playwright/test/cli.js'), 'test', '--workers=2', '--reporter=dot'],
    files: filesOf(
      10,
      (n) => `many-${n}.spec.js`,
      () => body(`import { test } from '@playwright/test';`),
    ),
  });
  takesManyTests({
    name: 'Cucumber',
    packages: ['@cucumber/cucumber'],
    args: [
      binOf('@cucumber/cucumber/bin/cucumber.js'),
      '--format',
      'summary',
      '--plugin',
      'signalbox-publisher/cucumber',
    ],
    plainArgs: [binOf('@cucumber/cucumber/bin/cucumber.js'), '--format', 'summary'],
    files: {
      'features/steps.js': `import { Given } from '@cucumber/cucumber'; Given('nothing', () => {});`,
      ...filesOf(
        10,
        (n) => `features/many-${n}.feature`,
        (n) =>
          `Feature: Many ${n}\n${Array.from({ length: 500 }, (_, m) => `  Scenario: test ${m}\n    Given nothing\n`).join('')}`,
      ),
    },
  });
}
