import { binOf } from '../project.ts';
import { compared, type Framework, flood } from './framework.ts';

const use = `import { afterAll, beforeAll, describe, expect, test } from 'vitest';\n`;

export const vitest: Framework = {
  name: 'Vitest',
  packages: ['vitest'],
  args: ({ told = true, files = [] } = {}) => [
    binOf('vitest/vitest.mjs'),
    'run',
    ...files,
    '--reporter=default',
    ...(told ? ['--reporter=signalbox-publisher/vitest'] : []),
  ],
  otherOrder: { args: ['--sequence.shuffle.files', '--sequence.seed=7', '--no-file-parallelism'] },
  example: {
    files: {
      'tests/cart.test.js': `${use}
describe('cart', () => {
  test('adds', () => {});
  test('twin', () => {});
  test('twin', () => { throw new Error('second twin'); });
  test('several', () => { expect.soft(1, 'first wrong').toBe(2); expect.soft(3, 'second wrong').toBe(4); });
  test('compares', () => { expect('line one\\nline 2').toBe('line one\\nline two'); });
  test('caused', () => { throw new Error('outer', { cause: new TypeError('inner') }); });
  let times = 0;
  test('flaky', { retry: 1 }, () => { if (++times < 2) throw new Error('not yet'); });
  test('skips', (context) => context.skip('no network'));
  test.todo('later');
});`,
      'tests/hooks.test.js': `${use}
describe('Orders', () => {
  beforeAll(() => { throw new Error('no orders'); });
  test('kept', () => {});
});
describe('Invoices', () => {
  afterAll(() => { throw new Error('no ink'); });
  test('fine', () => {});
});`,
    },
    twins: ['cart > twin', 'cart > twin #2'],
    expected: [
      { scenario: 'cart > adds', outcome: 'CleanPass' },
      { scenario: 'cart > twin', outcome: 'CleanPass' },
      { scenario: 'cart > twin #2', outcome: 'Failed', errors: ['second twin'] },
      { scenario: 'cart > several', outcome: 'Failed', errors: ['first wrong', 'second wrong'] },
      { scenario: 'cart > compares', outcome: 'Failed', errors: ['to be'] },
      { scenario: 'cart > caused', outcome: 'Failed', errors: ['outer'] },
      { scenario: 'cart > flaky', outcome: 'PassOnRetry' },
      { scenario: 'cart > skips', outcome: 'Skipped', skipReason: 'no network' },
      { scenario: 'cart > later', outcome: 'Skipped', todo: true },
      { scenario: 'Orders > (hooks)', outcome: 'Failed', errors: ['no orders'] },
      { scenario: 'Orders > kept', outcome: 'Skipped', skipReason: 'not run: beforeAll of Orders failed' },
      { scenario: 'Invoices > (hooks)', outcome: 'Failed', errors: ['no ink'] },
      { scenario: 'Invoices > fine', outcome: 'CleanPass' },
    ],
    line: null,
    compared,
    cause: 'TypeError: inner',
  },
  shards: {
    files: {
      'one.test.js': `${use} test('passes', () => {});`,
      'two.test.js': `${use} test('fails', () => { throw new Error('broken'); });`,
    },
    first: 'one.test.js',
    second: 'two.test.js',
    args: (index, count) => [`--shard=${index}/${count}`],
  },
  interrupted: {
    files: {
      'vitest.config.js':
        'export default { test: { fileParallelism: false, sequence: { sequencer: (await import("./order.js")).Order } } };',
      'order.js': `import { BaseSequencer } from 'vitest/node'; export class Order extends BaseSequencer { async sort(files) { return [...files].sort((a, b) => a.moduleId.localeCompare(b.moduleId)); } }`,
      'a.test.js': `${use} test('quick', () => {});`,
      'b.test.js': `${use} test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)), 150_000);`,
      'c.test.js': `${use} test('never', () => {});`,
    },
    due: 3,
  },
  projects: {
    files: {
      'vitest.config.js': `export default { test: { projects: [{ test: { name: 'light' } }, { test: { name: 'dark' } }] } };`,
      'page.test.js': `${use} test('draws', () => {});`,
    },
    uids: ['page.test.js/[light] > draws', 'page.test.js/[dark] > draws'],
  },
  output: {
    files: {
      'talks.test.js': `${use} test('talks', () => { console.log('said aloud'); console.error('said aside'); });`,
      'floods.test.js': `${use} test('floods', () => { ${flood} });`,
    },
    stderr: true,
  },
};
