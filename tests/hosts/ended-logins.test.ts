import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { start } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';

const minute = 60_000;

test('logins of every host end together, and new ones count, however far the clock of their host is off', async () => {
  const Store = await cloneDatabase();
  const host = (HostName: string, aheadMs: number) =>
    start({
      clock: { ...systemClock, wall: () => Date.now() + aheadMs },
      settings: { Store, HostName, Token: operatorToken, LicenceGate: 'off' },
    });
  await using ahead = await host('ahead', 10 * minute);
  await using behind = await host('behind', -10 * minute);
  const hosts = [ahead, behind];
  const login = async (one: typeof ahead) => {
    const { headers } = await one.call('POST', '/api/login', { token: operatorToken });
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  const status = async (one: typeof ahead, cookie: { cookie: string }) =>
    (await one.call('GET', '/api/plans', undefined, cookie)).status;

  const before = await Promise.all(hosts.map(login));
  for (const [at, one] of hosts.entries()) expect(await status(one, before[at]!)).toBe(200);
  await ahead.call('DELETE', '/api/logins', undefined, bearer(operatorToken));
  for (const [at, one] of hosts.entries()) await expect.poll(() => status(one, before[at]!)).toBe(401);
  for (const one of hosts) expect(await status(one, await login(one))).toBe(200);
});
