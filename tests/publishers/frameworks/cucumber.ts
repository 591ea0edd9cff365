import { readFileSync } from 'node:fs';
import { binOf } from '../project.ts';
import { type Framework, flood } from './framework.ts';

const steps = {
  'features/steps.js': `
    import { After, Before, Given } from '@cucumber/cucumber';
    import assert from 'node:assert';
    let times = 0;
    Before({ tags: '@orders' }, () => { throw new Error('no orders'); });
    After({ tags: '@ink' }, () => { throw new Error('no ink'); });
    Given('nothing', () => {});
    Given('a twin {int}', (n) => { if (n === 2) throw new Error('second twin'); });
    Given('a failure', () => { throw new Error('first wrong'); });
    Given('a comparison', () => assert.equal('line one\\nline 2', 'line one\\nline two'));
    Given('a second try', () => { if (++times < 2) throw new Error('not yet'); });
    Given('a skip', () => 'skipped');
    Given('a plan', () => 'pending');
    Given('a word', (text) => {});
    Given('a talk', () => { console.log('said aloud'); console.error('said aside'); });
    Given('a flood', () => { ${flood} });
    Given('a long wait', { timeout: 150_000 }, () => new Promise((resolve) => setTimeout(resolve, 120_000)));`,
};
const scenario = (name: string, step: string, tags = '') =>
  `${tags ? `  ${tags}\n` : ''}  Scenario: ${name}\n    Given ${step}\n`;
const feature = (name: string, ...scenarios: string[]) => `Feature: ${name}\n${scenarios.join('')}`;

/** Cucumber 11 has no plugins, and a formatter needs an output file. */
const { version } = JSON.parse(readFileSync(binOf('@cucumber/cucumber/package.json'), 'utf8')) as { version: string };
const publishing = version.startsWith('11.')
  ? ['--format', '"signalbox-publisher/cucumber-formatter":"/dev/null"']
  : ['--plugin', 'signalbox-publisher/cucumber'];

export const cucumber: Framework = {
  name: 'Cucumber',
  packages: ['@cucumber/cucumber'],
  args: ({ told = true, files = [] } = {}) => [
    binOf('@cucumber/cucumber/bin/cucumber.js'),
    ...files,
    ...['--format', 'progress', '--retry', '1', '--retry-tag-filter', '@flaky'],
    ...(told ? publishing : []),
  ],
  otherOrder: { args: ['--parallel', '2'] },
  example: {
    files: {
      ...steps,
      'features/cart.feature': feature(
        'Cart',
        scenario('adds', 'nothing', '@fast'),
        '  Scenario Outline: twin\n    Given a twin <n>\n\n    Examples:\n      | n |\n      | 1 |\n      | 2 |\n\n',
        scenario('several', 'a failure', '@ink'),
        scenario('compares', 'a comparison'),
        scenario('flaky', 'a second try', '@flaky'),
        scenario('skips', 'a skip'),
        scenario('later', 'a plan'),
        scenario('kept', 'nothing', '@orders'),
        '  Scenario: quotes\n    Given a word\n      """\n      first line\n      second line\n      """\n',
      ),
    },
    twins: ['twin', 'twin #2'],
    expected: [
      { scenario: 'adds', outcome: 'CleanPass' },
      { scenario: 'twin', outcome: 'CleanPass' },
      { scenario: 'twin #2', outcome: 'Failed', errors: ['second twin'] },
      { scenario: 'several', outcome: 'Failed', errors: ['first wrong', 'no ink'] },
      { scenario: 'compares', outcome: 'Failed', errors: ['line one'] },
      { scenario: 'flaky', outcome: 'PassOnRetry' },
      { scenario: 'skips', outcome: 'Skipped' },
      { scenario: 'later', outcome: 'Skipped', skipReason: 'The step "a plan" is pending.', todo: true },
      { scenario: 'kept', outcome: 'Failed', errors: ['no orders'] },
      { scenario: 'quotes', outcome: 'CleanPass' },
    ],
    line: { uid: 'Cart/adds', line: 3 },
    compared: null,
    cause: null,
    tags: ['@fast'],
  },
  shards: {
    files: {
      ...steps,
      'features/one.feature': feature('One', scenario('passes', 'nothing')),
      'features/two.feature': feature('Two', scenario('fails', 'a failure')),
    },
    first: 'features/one.feature',
    second: 'features/two.feature',
  },
  interrupted: {
    files: {
      ...steps,
      'features/a.feature': feature(
        'Wait',
        scenario('quick', 'nothing'),
        scenario('hangs', 'a long wait'),
        scenario('never', 'nothing'),
      ),
    },
    due: 3,
  },
  projects: {
    files: {
      ...steps,
      'features/light.feature': feature('Light', scenario('draws', 'nothing')),
      'features/dark.feature': feature('Dark', scenario('draws', 'nothing')),
    },
    uids: ['Light/draws', 'Dark/draws'],
  },
  output: {
    files: {
      ...steps,
      'features/talks.feature': feature('Talks', scenario('talks', 'a talk'), scenario('floods', 'a flood')),
    },
    stderr: true,
  },
};
