import { binOf } from '../project.ts';
import { type Framework, flood } from './framework.ts';

const use = `import { expect, test } from '@playwright/test';\n`;

export const playwright: Framework = {
  name: 'Playwright',
  packages: ['@playwright/test'],
  args: ({ told = true, files = [] } = {}) => [
    binOf('@playwright/test/cli.js'),
    'test',
    '--workers=2',
    ...files,
    told ? '--reporter=list,signalbox-publisher/playwright' : '--reporter=list',
  ],
  otherOrder: { args: ['--workers=1', '--fully-parallel'] },
  example: {
    files: {
      'tests/cart.spec.js': `${use}
test.describe('cart', () => {
  test('adds', { tag: '@fast' }, () => {});
  test('twin', () => {});
  test('other twin', () => { throw new Error('second twin'); });
  test('several', () => { expect.soft(1, 'first wrong').toBe(2); expect.soft(3, 'second wrong').toBe(4); });
  test('caused', () => { throw new Error('outer', { cause: new TypeError('inner') }); });
  test('unexpected pass', () => { test.fail(true, 'known bug'); });
  test('skips', () => { test.skip(true, 'no network'); });
  test.fixme('later', () => {});
});
test.describe('sometimes', () => {
  test.describe.configure({ retries: 1 });
  test('flaky', ({}, info) => { if (info.retry < 1) throw new Error('not yet'); });
});`,
      'tests/hooks.spec.js': `${use}
test.describe('Orders', () => {
  test.beforeAll(() => { throw new Error('no orders'); });
  test('first', () => {});
  test('kept', () => {});
});
test.describe('Invoices', () => {
  test.afterAll(() => { throw new Error('no ink'); });
  test('fine', () => {});
});`,
    },
    twins: ['cart > twin', 'cart > other twin'],
    expected: [
      { scenario: 'cart > adds', outcome: 'CleanPass' },
      { scenario: 'cart > twin', outcome: 'CleanPass' },
      { scenario: 'cart > other twin', outcome: 'Failed', errors: ['second twin'] },
      { scenario: 'cart > several', outcome: 'Failed', errors: ['first wrong', 'second wrong'] },
      { scenario: 'cart > caused', outcome: 'Failed', errors: ['outer'] },
      {
        scenario: 'cart > unexpected pass',
        outcome: 'Failed',
        errors: ['expected to fail (known bug), but it passed'],
      },
      { scenario: 'cart > skips', outcome: 'Skipped', skipReason: 'no network' },
      { scenario: 'cart > later', outcome: 'Skipped', todo: true },
      { scenario: 'sometimes > flaky', outcome: 'PassOnRetry' },
      { scenario: 'Orders > first', outcome: 'Failed', errors: ['no orders'] },
      { scenario: 'Orders > kept', outcome: 'Skipped', skipReason: 'not run: a dependency failed' },
      { scenario: 'Invoices > fine', outcome: 'Failed', errors: ['no ink'] },
    ],
    line: { uid: 'tests/cart.spec.js/cart > adds', line: 4 },
    compared: null,
    cause: 'inner',
    tags: ['@fast'],
  },
  shards: {
    files: {
      'one.spec.js': `${use} test('passes', () => {});`,
      'two.spec.js': `${use} test('fails', () => { throw new Error('broken'); });`,
    },
    first: 'one.spec.js',
    second: 'two.spec.js',
    args: (index, count) => [`--shard=${index}/${count}`],
  },
  interrupted: {
    files: {
      'playwright.config.js': 'export default { workers: 1, timeout: 150_000 };',
      'a.spec.js': `${use} test('quick', () => {});
        test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)));
        test('never', () => {});`,
    },
    due: 3,
  },
  projects: {
    files: {
      'playwright.config.js': `export default { projects: [{ name: 'light' }, { name: 'dark' }] };`,
      'page.spec.js': `${use} test('draws', () => {});`,
    },
    uids: ['page.spec.js/[light] > draws', 'page.spec.js/[dark] > draws'],
  },
  output: {
    files: {
      'talks.spec.js': `${use} test('talks', () => { console.log('said aloud'); console.error('said aside'); });`,
      'floods.spec.js': `${use} test('floods', () => { ${flood} });`,
    },
    stderr: true,
  },
};
