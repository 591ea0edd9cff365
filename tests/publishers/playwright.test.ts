import { behavesLikeAPublisher, killed } from './behaves-like-a-publisher.ts';
import { binOf } from './project.ts';

const use = `import { expect, test } from '@playwright/test';\n`;
const run = [binOf('@playwright/test/cli.js'), 'test', '--workers=2'];

behavesLikeAPublisher({
  name: 'Playwright',
  packages: ['@playwright/test'],
  args: [...run, '--reporter=list,signalbox-publisher/playwright'],
  plainArgs: [...run, '--reporter=list'],
  mixed: {
    'cart.spec.js': `${use} import { touched } from 'signalbox-publisher';
      test.describe('cart', () => {
        test('adds', async ({}, info) => { await test.step('puts one in', () => touched('Shop.Cart', info)); });
        test('breaks', () => { console.log('printed'); expect('a', 'broken').toBe('b'); });
        test.skip('later', () => {});
      });
      test.describe('sometimes', () => {
        test.describe.configure({ retries: 1 });
        test('flaky', ({}, info) => expect(info.retry).toBe(1));
      });`,
  },
  passes: { 'cart.spec.js': `${use} test('adds', () => {});` },
  hangs: {
    'cart.spec.js': `${use} test('hangs', async () => { test.setTimeout(150_000); await new Promise((resolve) => setTimeout(resolve, 120_000)); });`,
  },
  dies: {
    'cart.spec.js': `${use} test('adds', () => {}); test('dies', async () => { ${killed} }); test('after', () => {});`,
    'other.spec.js': `${use} test('goes on', () => {});`,
  },
  death: { victim: true, lost: 0 },
  hasRetries: true,
  prints: true,
});
