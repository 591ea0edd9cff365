import { existsSync } from 'node:fs';
import { binOf } from '../project.ts';
import { compared, type Framework, flood } from './framework.ts';

const use = `import assert from 'node:assert';\n`;

/** Mocha 9 has this path without an extension. */
const program = [binOf('mocha/bin/mocha.js'), binOf('mocha/bin/mocha')].find(existsSync) ?? '';

export const mocha: Framework = {
  name: 'Mocha',
  packages: ['mocha'],
  args: ({ told = true, files = ['test/**/*.test.js'] } = {}) => [
    program,
    ...files,
    ...(told ? ['--reporter', 'signalbox-publisher/mocha'] : []),
  ],
  // In parallel mode, Mocha never names the tests that a failed "before all" hook prevented.
  otherOrder: { args: ['--parallel', '--jobs', '2'], untold: ['Orders > kept'] },
  example: {
    files: {
      'test/cart.test.js': `${use}
describe('cart', () => {
  it('adds', () => {});
  it('twin', () => {});
  it('twin', () => { throw new Error('second twin'); });
  it('several', () => { throw new AggregateError([new Error('first wrong'), new Error('second wrong')], 'two things'); });
  it('compares', () => { assert.equal('line one\\nline 2', 'line one\\nline two'); });
  it('caused', () => { throw new Error('outer', { cause: new TypeError('inner') }); });
  let times = 0;
  it('flaky', function () { this.retries(1); if (++times < 2) throw new Error('not yet'); });
  it('skips', function () { this.skip(); });
  it('later');
});`,
      'test/hooks.test.js': `${use}
describe('Orders', () => {
  before(() => { throw new Error('no orders'); });
  it('kept', () => {});
});
describe('Invoices', () => {
  after(() => { throw new Error('no ink'); });
  it('fine', () => {});
});
describe('Letters', () => {
  beforeEach(() => { throw new Error('no stamps'); });
  it('sent', () => {});
});`,
    },
    twins: ['cart > twin', 'cart > twin #2'],
    expected: [
      { scenario: 'cart > adds', outcome: 'CleanPass' },
      { scenario: 'cart > twin', outcome: 'CleanPass' },
      { scenario: 'cart > twin #2', outcome: 'Failed', errors: ['second twin'] },
      { scenario: 'cart > several', outcome: 'Failed', errors: ['two things', 'first wrong', 'second wrong'] },
      { scenario: 'cart > compares', outcome: 'Failed', errors: ['line one'] },
      { scenario: 'cart > caused', outcome: 'Failed', errors: ['outer'] },
      { scenario: 'cart > flaky', outcome: 'PassOnRetry' },
      { scenario: 'cart > skips', outcome: 'Skipped' },
      { scenario: 'cart > later', outcome: 'Skipped' },
      { scenario: 'Orders > "before all" hook', outcome: 'Failed', errors: ['no orders'] },
      { scenario: 'Orders > kept', outcome: 'Skipped', skipReason: 'not run: beforeAll of Orders failed' },
      { scenario: 'Invoices > fine', outcome: 'CleanPass' },
      { scenario: 'Invoices > "after all" hook', outcome: 'Failed', errors: ['no ink'] },
      { scenario: 'Letters > "before each" hook', outcome: 'Failed', errors: ['no stamps'] },
      { scenario: 'Letters > sent', outcome: 'Skipped', skipReason: 'not run: beforeEach of Letters failed' },
    ],
    line: null,
    compared,
    cause: 'TypeError: inner',
  },
  shards: {
    files: {
      'test/one.test.js': `it('passes', () => {});`,
      'test/two.test.js': `it('fails', () => { throw new Error('broken'); });`,
    },
    first: 'test/one.test.js',
    second: 'test/two.test.js',
  },
  interrupted: {
    files: {
      'test/a.test.js': `it('quick', () => {});
        it('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000))).timeout(150_000);
        it('never', () => {});`,
    },
    due: 3,
  },
  projects: {
    files: {
      'test/light/page.test.js': `it('draws', () => {});`,
      'test/dark/page.test.js': `it('draws', () => {});`,
    },
    uids: ['test/light/page.test.js/draws', 'test/dark/page.test.js/draws'],
  },
  output: {
    files: {
      'test/talks.test.js': `it('talks', () => { console.log('said aloud'); console.error('said aside'); });`,
      'test/floods.test.js': `it('floods', () => { ${flood} });`,
    },
    stderr: true,
  },
};
