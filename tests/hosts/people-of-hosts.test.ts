import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { startProvider, type TestProvider } from '../oidc/provider.ts';
import { type Browser, signIn, startWithPeople } from '../oidc/signed-in.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import type { Started } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';

const patience = { interval: 100 };

/**
 * A host whose clocks a test may set forward, so that it asks the provider again. Sign-ins are timed by the database's
 * clock, which continues with the host's clock between two answers.
 */
async function startHost(HostName: string, Store: string, provider: TestProvider) {
  let aheadMs = 0;
  const { boot: _, ...system } = systemClock;
  const clock = {
    ...system,
    wall: () => systemClock.wall() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
  };
  const service = await startWithPeople(provider, {
    clock,
    settings: { Store, HostName, LicenceGate: 'off' },
  });
  return {
    service,
    later(ms: number) {
      aheadMs += ms;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const line = (service: Started, { cookie }: Browser) =>
  fetch(`${service.url}/api/messages`, { headers: { ...cookie(), accept: 'text/event-stream' } });

test('on two hosts a person who is removed at the provider is cut on both, and end_logins on one ends the sign-ins of both', async () => {
  const Store = await cloneDatabase();
  await using provider = await startProvider();
  await using alpha = await startHost('alpha', Store, provider);
  await using beta = await startHost('beta', Store, provider);
  const hosts = [alpha, beta];
  const signedIn = async (user: string) => {
    const people: Browser[] = [];
    for (const { service } of hosts) people.push(await signIn(service, provider, user));
    return people;
  };
  const statuses = (people: readonly Browser[]) =>
    Promise.all(people.map(async (person) => (await person.call('GET', '/api/me')).status));

  const [ada, grace] = [await signedIn('ada'), await signedIn('grace')];
  expect(await statuses([...ada, ...grace])).toEqual([200, 200, 200, 200]);
  const open = await Promise.all(hosts.map(({ service }, at) => line(service, ada[at] as Browser)));
  expect(open.map(({ status }) => status)).toEqual([200, 200]);
  provider.people.delete('ada');
  const elevenMinutesLater = () => {
    for (const host of hosts) host.later(11 * 60_000);
    return statuses(ada);
  };
  await expect.poll(elevenMinutesLater, patience).toEqual([401, 401]);
  await Promise.all(open.map((stream) => stream.text().catch(() => '')));
  expect(await statuses(grace)).toEqual([200, 200]);

  expect((await alpha.service.call('DELETE', '/api/logins', undefined, bearer(operatorToken))).status).toBe(204);
  await expect.poll(() => statuses(grace), patience).toEqual([401, 401]);
});
