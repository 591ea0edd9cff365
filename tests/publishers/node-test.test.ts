import { behavesLikeAPublisher, killed } from './behaves-like-a-publisher.ts';

const use = `import { describe, it, test } from 'node:test'; import assert from 'node:assert';\n`;
const run = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout'];
const told = [...run, '--test-reporter=signalbox-publisher/node-test', '--test-reporter-destination=stderr'];

behavesLikeAPublisher({
  name: 'node:test',
  packages: [],
  args: told,
  plainArgs: run,
  mixed: {
    'cart.test.js': `${use} import { touched } from 'signalbox-publisher';
      describe('cart', () => {
        it('adds', (t) => touched('Shop.Cart', t));
        it('breaks', () => { console.log('printed'); assert.equal('a', 'b', 'broken'); });
        it.skip('later', () => {});
      });`,
  },
  passes: { 'cart.test.js': `${use} test('adds', () => {});` },
  hangs: { 'cart.test.js': `${use} test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)));` },
  dies: {
    'cart.test.js': `${use}
      test('adds', () => {});
      test('dies', async () => { await new Promise((resolve) => setTimeout(resolve, 200)); ${killed} });
      test('after', () => {});`,
    'other.test.js': `${use} test('goes on', () => {});`,
  },
  death: { victim: true, lost: 1 },
  hasRetries: false,
  prints: true,
});
