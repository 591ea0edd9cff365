import { behavesLikeAPublisher, killed } from './behaves-like-a-publisher.ts';
import { binOf } from './project.ts';

const use = `import assert from 'node:assert';\n`;
const run = [binOf('mocha/bin/mocha.js'), 'test/*.test.js'];
const told = [...run, '--reporter', 'signalbox-publisher/mocha'];

behavesLikeAPublisher({
  name: 'Mocha',
  packages: ['mocha'],
  args: told,
  plainArgs: run,
  mixed: {
    'test/cart.test.js': `${use} import { touched } from 'signalbox-publisher';
      let times = 0;
      describe('cart', function () {
        it('adds', () => touched('Shop.Cart'));
        it('breaks', () => assert.equal('a', 'b', 'broken'));
        it('flaky', function () { this.retries(1); assert.equal(++times, 2); });
        it.skip('later', () => {});
      });`,
  },
  passes: { 'test/cart.test.js': `it('adds', () => {});` },
  // The tests run in the publisher's process, and this test blocks it.
  hangs: {
    'test/cart.test.js': `it('hangs', () => { const end = Date.now() + 120_000; while (Date.now() < end); }).timeout(150_000);`,
  },
  dies: {
    'test/cart.test.js': `it('adds', () => {}); it('dies', async () => { ${killed} }); it('after', () => {});`,
    'test/other.test.js': `it('goes on', () => {});`,
  },
  diesArgs: [...told, '--parallel', '--jobs', '2'],
  death: { victim: false, lost: 0 },
  hasRetries: true,
  prints: false,
});
