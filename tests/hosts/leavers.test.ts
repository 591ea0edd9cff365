import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';
import { startClosed } from '../tokens.ts';
import { newMcpClient } from '../transports.ts';

const plan = {
  plan: 'shop',
  nodes: [
    { id: 'cart', title: 'Cart' },
    { id: 'release', title: 'Release', binding: { kind: 'signOff', who: 'ida' } },
    { id: 'load', title: 'Load', binding: { kind: 'signOff' } },
  ],
};

test('a leaver: revoking names the live claims, they are a need, and an admin releases them with the note kept', async () => {
  await using service = await startClosed();
  const pat = await service.named('pat', ['work']);
  const ida = await service.named('ida', ['admin']);
  await ida.call('POST', '/api/plans', plan);
  await pat.call('POST', '/api/plans/shop/nodes/cart/claim', { agent: 'pat/one', session: 's-1', leaseMinutes: 1440 });
  await pat.call('POST', '/api/plans/shop/nodes/cart/report', { agent: 'pat/one', session: 's-1', note: 'half of it' });
  const eve = await service.named('eve', ['author']);
  const tried = await eve.call('POST', '/api/plans/shop/nodes/cart/release', { agent: 'pat/one' });
  expect([tried.status, tried.body.code]).toEqual([403, 'name_not_yours']);

  const revoked = await ida.call('DELETE', '/api/tokens/pat');
  expect([revoked.status, revoked.body.claims]).toMatchObject([200, [{ ref: 'shop/cart', agent: 'pat/one' }]]);
  const needs = async () => (await ida.call('GET', '/api/needs')).body.needs;
  expect(await needs()).toContainEqual(
    expect.objectContaining({
      kind: 'claim_of_ended_token',
      ref: 'shop/cart',
      agent: 'pat/one',
      detail: expect.stringContaining('the token pat was revoked'),
    }),
  );
  const released = await ida.call('POST', '/api/plans/shop/nodes/cart/release', { agent: 'pat/one', view: 'full' });
  expect(released.body).toMatchObject({
    released: true,
    node: { lastClaim: { agent: 'pat/one', note: 'half of it' } },
  });
  const { body: history } = await ida.call('GET', '/api/plans/shop/history');
  expect(history.find(({ type }: { type: string }) => type === 'claim_released')).toMatchObject({ by: 'ida' });
  expect((await needs()).map(({ kind }: { kind: string }) => kind)).not.toContain('claim_of_ended_token');
  expect((await ida.call('DELETE', '/api/tokens/eve')).status).toBe(204);
});

test('the command line lists the claims of a revoked token, and releases them on request', async () => {
  await using service = await startClosed();
  const ida = await service.named('ida', ['admin']);
  await ida.call('POST', '/api/plans', plan);
  const revoke = async (name: string, ...more: string[]) => {
    const holder = await service.named(name, ['work']);
    await holder.call('POST', '/api/plans/shop/nodes/cart/claim', {});
    const env = { SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_TOKEN: ida.token };
    await using command = signalbox(['tokens', 'revoke', name, ...more], env, service.home);
    expect(await command.ended, command.err()).toBe(0);
    return command.out();
  };
  expect(await revoke('pat', '--release')).toMatch(/revoked\.\nshop\/cart was released for pat\.\n$/);
  expect(await revoke('sam')).toMatch(
    /It still holds a node:\n {2}shop\/cart until .*: signalbox release shop\/cart --as sam\n$/,
  );
});

test('an awaited sign-off is a need of the named person, listed first and counted as theirs', async () => {
  await using service = await startClosed();
  const ida = await service.named('ida', ['author']);
  const ada = await service.named('ada', ['work']);
  await ida.call('POST', '/api/plans', plan);
  const signOffs = ({ body }: Awaited<ReturnType<typeof ida.call>>) =>
    body.needs
      .filter(({ kind }: { kind: string }) => kind === 'sign_off_awaited')
      .map(({ ref, who }: { ref: string; who: string }) => `${ref} ${who}`);
  expect(signOffs(await ida.call('GET', '/api/needs'))).toEqual(['shop/release ida']);
  await ada.call('POST', '/api/plans/shop/nodes/load/claim', {});
  await ada.call('POST', '/api/plans/shop/nodes/load/release', {});
  const mine = await ida.call('GET', '/api/needs');
  expect([signOffs(mine), mine.body.mine]).toEqual([['shop/release ida', 'shop/load null'], 1]);
  expect((await ada.call('GET', '/api/needs?for=ida')).body).toMatchObject({ mine: 1, needs: [{ who: 'ida' }, {}] });
  expect((await ada.call('GET', '/api/needs')).body.mine).toBe(0);
  await ida.call('POST', '/api/plans/shop/nodes/release/sign-off', {});
  expect(signOffs(await ida.call('GET', '/api/needs'))).toEqual(['shop/load null']);
});

test('a clock more than a minute off and a host that is away are needs on the other hosts', async () => {
  const Store = await cloneDatabase();
  const settings = { Store, LicenceGate: 'off' };
  await using ada = await start({ clock: systemClock, settings: { ...settings, HostName: 'ada' } });
  const fast = { ...systemClock, wall: () => Date.now() + 240_000 };
  await using bob = await start({ clock: fast, settings: { ...settings, HostName: 'bob' } });
  const kinds = async () =>
    (await ada.call('GET', '/api/needs')).body.needs.map(
      ({ kind, host }: { kind: string; host: string }) => `${kind} ${host}`,
    );
  await expect.poll(kinds, { interval: 100 }).toEqual(['clocks_apart bob']);
  const client = await newMcpClient(ada.url);
  const { structuredContent } = await client.callTool({ name: 'list_needs', arguments: {} });
  expect(structuredContent).toMatchObject({ needs: [{ kind: 'clocks_apart', host: 'bob' }] });
  await client.close();
  await bob.stop();
});
