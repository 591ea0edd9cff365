import { compared, type Framework, flood } from './framework.ts';

const use = `import { after, before, describe, it, test } from 'node:test'; import assert from 'node:assert';\n`;

export const nodeTest: Framework = {
  name: 'node:test',
  packages: [],
  args: ({ told = true, files = [] } = {}) => [
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    ...(told ? ['--test-reporter=signalbox-publisher/node-test', '--test-reporter-destination=stderr'] : []),
    ...files,
  ],
  otherOrder: { args: ['--test-concurrency=1'] },
  example: {
    files: {
      'test/cart.test.js': `${use}
for (const [n, name] of ['looped', 'looped'].entries()) test(name, () => { if (n === 1) throw new Error('second twin'); });
describe('cart', () => {
  it('adds', () => {});
  it('several', () => { throw new AggregateError([new Error('first wrong'), new Error('second wrong')], 'two things'); });
  it('compares', () => { assert.equal('line one\\nline 2', 'line one\\nline two'); });
  it('caused', () => { throw new Error('outer', { cause: new TypeError('inner') }); });
  it('skips', { skip: 'no network' }, () => {});
  it('later', { todo: 'some day' }, () => { throw new Error('not written'); });
});
describe('cart again', () => {
  it('adds', () => {});
});`,
      'test/hooks.test.js': `${use}
describe('Orders', () => {
  before(() => { throw new Error('no orders'); });
  it('kept', () => {});
  describe('open', () => { it('kept, too', () => {}); });
});
describe('Invoices', () => {
  after(() => { throw new Error('no ink'); });
  it('fine', () => {});
});`,
    },
    twins: ['looped', 'looped #2'],
    expected: [
      { scenario: 'looped', outcome: 'CleanPass' },
      { scenario: 'looped #2', outcome: 'Failed', errors: ['second twin'] },
      { scenario: 'cart > adds', outcome: 'CleanPass' },
      { scenario: 'cart > several', outcome: 'Failed', errors: ['two things', 'first wrong', 'second wrong'] },
      { scenario: 'cart > compares', outcome: 'Failed', errors: ['line one'] },
      { scenario: 'cart > caused', outcome: 'Failed', errors: ['outer'] },
      { scenario: 'cart > skips', outcome: 'Skipped', skipReason: 'no network' },
      { scenario: 'cart > later', outcome: 'Skipped', skipReason: 'some day', todo: true },
      { scenario: 'cart again > adds', outcome: 'CleanPass' },
      { scenario: 'Orders > before hook', outcome: 'Failed', errors: ['no orders'] },
      { scenario: 'Orders > kept', outcome: 'Skipped', skipReason: 'not run: before of Orders failed' },
      { scenario: 'Orders > open > kept, too', outcome: 'Skipped', skipReason: 'not run: before of Orders failed' },
      { scenario: 'Invoices > fine', outcome: 'CleanPass' },
      { scenario: 'Invoices > after hook', outcome: 'Failed', errors: ['no ink'] },
    ],
    line: { uid: 'test/cart.test.js/cart > adds', line: 5 },
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
  },
  interrupted: {
    files: {
      'a.test.js': `${use} test('quick', () => {});
        test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)));
        test('never', () => {});`,
    },
    due: 3,
  },
  projects: {
    files: {
      'light/page.test.js': `${use} test('draws', () => {});`,
      'dark/page.test.js': `${use} test('draws', () => {});`,
    },
    uids: ['light/page.test.js/draws', 'dark/page.test.js/draws'],
  },
  output: {
    files: {
      'talks.test.js': `${use} test('talks', async () => { await new Promise((resolve) => setTimeout(resolve, 300)); console.log('said aloud'); console.error('said aside'); await new Promise((resolve) => setTimeout(resolve, 300)); });`,
      'floods.test.js': `${use} test('floods', async () => { await new Promise((resolve) => setTimeout(resolve, 300)); ${flood} await new Promise((resolve) => setTimeout(resolve, 300)); });`,
    },
    stderr: true,
  },
};
