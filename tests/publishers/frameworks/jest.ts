import { binOf } from '../project.ts';
import { compared, type Framework, flood } from './framework.ts';

const settings = { 'package.json': '{"name":"shop","jest":{"transform":{},"maxWorkers":2}}' };

export const jest: Framework = {
  name: 'Jest',
  packages: ['jest'],
  args: ({ told = true, files = [] } = {}) => [
    binOf('jest/bin/jest.js'),
    ...files,
    '--reporters=default',
    ...(told ? ['--reporters=signalbox-publisher/jest'] : []),
  ],
  otherOrder: { args: ['--runInBand'] },
  example: {
    files: {
      ...settings,
      'tests/cart.test.js': `
describe('cart', () => {
  test('adds', () => {});
  test('twin', () => {});
  test('twin', () => { throw new Error('second twin'); });
  describe('worn', () => {
    beforeEach(() => { throw new Error('first wrong'); });
    afterEach(() => { throw new Error('second wrong'); });
    test('several', () => {});
  });
  test('compares', () => { expect('line one\\nline 2').toBe('line one\\nline two'); });
  test.skip('skips', () => {});
  test.todo('later');
});`,
      'tests/flaky.test.js': `jest.retryTimes(1); let times = 0;
test('flaky', () => { if (++times < 2) throw new Error('not yet'); });
test('flaky', () => {});`,
      'tests/hooks.test.js': `
describe('Orders', () => {
  beforeAll(() => { throw new Error('no orders'); });
  test('kept', () => {});
});
describe('Invoices', () => {
  afterAll(() => { throw new Error('no ink'); });
  test('fine', () => {});
});
describe('Letters', () => {
  afterAll(() => { throw new Error('no stamps'); });
  test('sent', () => {});
});`,
    },
    twins: ['cart > twin', 'cart > twin #2'],
    expected: [
      { scenario: 'cart > adds', outcome: 'CleanPass' },
      { scenario: 'cart > twin', outcome: 'CleanPass' },
      { scenario: 'cart > twin #2', outcome: 'Failed', errors: ['second twin'] },
      { scenario: 'cart > worn > several', outcome: 'Failed', errors: ['first wrong', 'second wrong'] },
      { scenario: 'cart > compares', outcome: 'Failed', errors: ['Expected'] },
      { scenario: 'flaky', outcome: 'PassOnRetry' },
      { scenario: 'flaky #2', outcome: 'CleanPass' },
      { scenario: 'cart > skips', outcome: 'Skipped' },
      { scenario: 'cart > later', outcome: 'Skipped', todo: true },
      { scenario: 'Orders > kept', outcome: 'Failed', errors: ['no orders'] },
      { scenario: 'Invoices > fine', outcome: 'CleanPass' },
      { scenario: 'Letters > sent', outcome: 'CleanPass' },
      { scenario: '(file)', outcome: 'Failed', errors: ['no ink', 'no stamps'] },
    ],
    line: null,
    compared,
    cause: null,
  },
  shards: {
    files: {
      ...settings,
      'one.test.js': `test('passes', () => {});`,
      'two.test.js': `test('fails', () => { throw new Error('broken'); });`,
    },
    first: 'one.test.js',
    second: 'two.test.js',
    args: (index, count) => [`--shard=${index}/${count}`],
  },
  interrupted: {
    files: {
      'package.json': '{"name":"shop","jest":{"transform":{},"maxWorkers":1,"testSequencer":"./order.js"}}',
      'order.js': `module.exports = class { sort(tests) { return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1)); } cacheResults() {} };`,
      'a.test.js': `test('quick', () => {});`,
      'b.test.js': `test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)), 150_000);`,
      'c.test.js': `test('never', () => {});`,
    },
    due: 3,
  },
  projects: {
    files: {
      'package.json':
        '{"name":"shop","jest":{"projects":[{"displayName":"light","transform":{}},{"displayName":"dark","transform":{}}]}}',
      'page.test.js': `test('draws', () => {});`,
    },
    uids: ['page.test.js/[light] > draws', 'page.test.js/[dark] > draws'],
  },
  output: {
    files: {
      ...settings,
      'talks.test.js': `test('talks', () => { console.log('said aloud'); console.error('said aside'); });`,
      'floods.test.js': `test('floods', () => { ${flood} });`,
    },
    stderr: true,
  },
};
