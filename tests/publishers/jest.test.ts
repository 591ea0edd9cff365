import { behavesLikeAPublisher, killed } from './behaves-like-a-publisher.ts';
import { binOf } from './project.ts';

const run = [binOf('jest/bin/jest.js'), '--maxWorkers=2', '--reporters=default'];
const settings = { 'package.json': '{"name":"shop","jest":{"transform":{}}}' };

behavesLikeAPublisher({
  name: 'Jest',
  packages: ['jest'],
  args: [...run, '--reporters=signalbox-publisher/jest'],
  plainArgs: run,
  mixed: {
    ...settings,
    'cart.test.js': `
      describe('cart', () => {
        test('adds', () => require('signalbox-publisher').touched('Shop.Cart'));
        test('breaks', () => { console.log('printed'); throw new Error('broken'); });
        test.skip('later', () => {});
      });`,
    'flaky.test.js': `let times = 0; jest.retryTimes(1); test('flaky', () => expect(++times).toBe(2));`,
  },
  passes: { ...settings, 'cart.test.js': `test('adds', () => {});` },
  hangs: {
    ...settings,
    'cart.test.js': `test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)), 150_000);`,
  },
  dies: {
    ...settings,
    'cart.test.js': `
      test('adds', () => {});
      test('dies', async () => { await new Promise((resolve) => setTimeout(resolve, 200)); ${killed} });
      test('after', () => {});`,
    'other.test.js': `test('goes on', () => {});`,
  },
  death: { victim: true, lost: 0 },
  hasRetries: true,
  prints: true,
});
