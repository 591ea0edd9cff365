import { behavesLikeAPublisher, killed } from './behaves-like-a-publisher.ts';
import { binOf } from './project.ts';

const use = `import { describe, expect, test } from 'vitest';\n`;
const run = [binOf('vitest/vitest.mjs'), 'run', '--reporter=default'];

behavesLikeAPublisher({
  name: 'Vitest',
  packages: ['vitest'],
  args: [...run, '--reporter=signalbox-publisher/vitest'],
  plainArgs: run,
  mixed: {
    'cart.test.js': `${use} import { touched } from 'signalbox-publisher';
      let times = 0;
      describe('cart', () => {
        test('adds', () => touched('Shop.Cart'));
        test('breaks', () => { console.log('printed'); expect('broken', 'broken').toBe('whole'); });
        test('flaky', { retry: 1 }, () => expect(++times).toBe(2));
        test.skip('later', () => {});
      });`,
  },
  passes: { 'cart.test.js': `${use} test('adds', () => {});` },
  hangs: {
    'cart.test.js': `${use} test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)), 150_000);`,
  },
  dies: {
    'cart.test.js': `${use}
      test('adds', () => {});
      test('dies', async () => { await new Promise((resolve) => setTimeout(resolve, 400)); ${killed} });
      test('after', () => {});`,
    'other.test.js': `${use} test('goes on', () => {});`,
  },
  death: { victim: true, lost: 1 },
  hasRetries: true,
  prints: true,
});
