import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { signalbox, startedProcess } from '../spawn.ts';

async function prompt(args: readonly string[], env: Record<string, string> = {}) {
  await using typed = signalbox(['prompt', ...args], env);
  const code = await typed.ended;
  return { code, out: typed.out(), err: typed.err() };
}

test('prompt names what you hold, and how many things need a person', async () => {
  await using service = await startedProcess();
  const url = [`--url=${service.url}`, '--wait=60000'];
  const call = (path: string, method: string, body: object) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await call('/api/plans/shop', 'PUT', { nodes: [{ id: 'cart', title: 'The cart' }] });
  expect(await prompt([...url, '--as', 'ada'])).toEqual({ code: 0, out: '', err: '' });
  await call('/api/plans/shop/nodes/cart/claim', 'POST', { agent: 'Ada', leaseMinutes: 30 });
  expect(await prompt(url, { SIGNALBOX_AGENT: 'ada' })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^shop\/cart \d\d min left\n$/),
  });
  await call('/api/plans/shop/nodes/cart/release', 'POST', { agent: 'Ada', outcome: 'submitted' });
  expect(await prompt([...url, '--as', 'ada'])).toEqual({ code: 0, out: '1 needs you\n', err: '' });
});

test('prompt prints nothing and succeeds if nothing answers, or the answer is empty', async () => {
  expect(await prompt(['--url', 'http://127.0.0.1:1'])).toEqual({ code: 0, out: '', err: '' });
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  expect(await prompt(['--url', `http://127.0.0.1:${port}`])).toEqual({ code: 0, out: '', err: '' });
  expect(await prompt(['--url', 'no address'])).toEqual({ code: 0, out: '', err: '' });
});

test('top prints the board once without a terminal', async () => {
  await using service = await startedProcess();
  await using typed = signalbox(['top', '--url', service.url]);
  expect(await typed.ended).toBe(0);
  expect(typed.out()).toContain('signalbox now  nothing needs you');
  expect(typed.out()).toContain('Runs: 0\n  No runs yet.');
});
