import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { auditText } from '../../packages/service/src/cli/audit-command.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';

const token = { authorization: 'Bearer a shared secret of hosts' };
const host = (Store: string, HostName: string) =>
  start({ clock: systemClock, settings: { Store, HostName, LicenceGate: 'off', Token: 'a shared secret of hosts' } });
const audit = async (one: Started, query = '') => (await one.call('GET', `/api/audit${query}`, undefined, token)).body;
const create = (one: Started, name: string) => one.call('POST', '/api/tokens', { name, scopes: ['read'] }, token);

test('the audit of all hosts is one on each of them, and names the hosts that do not answer', async () => {
  const store = await cloneDatabase();
  await using ada = await host(store, 'ada');
  await using bob = await host(store, 'bob');
  expect([(await create(ada, 'one')).status, (await create(bob, 'two')).status]).toEqual([201, 201]);
  const calls = (page: { items: { host: string; ref: string }[] }) =>
    page.items.map(({ host: at, ref }) => `${at} ${ref}`).sort();
  for (const one of [ada, bob]) {
    const seen = async () => {
      const page = await audit(one, '?all=true&command=create_token');
      return [page.missing, calls(page), page.hosts.sort()];
    };
    await expect.poll(seen, { interval: 50 }).toEqual([[], ['ada one', 'bob two'], ['ada', 'bob']]);
  }
  const first = await audit(ada, '?all=true&command=create_token&limit=1');
  expect(first).toMatchObject({ items: [{ at: first.next }], next: expect.any(String) });
  const older = await audit(ada, `?all=true&command=create_token&before=${first.next}`);
  expect(calls(older)).toEqual(expect.arrayContaining(calls(first)));
  const own = await audit(bob, '?command=create_token');
  expect(own).toMatchObject({ items: [{ ref: 'two' }], hosts: ['bob'] });
  expect(auditText(own)).toContain('This host only (bob); --all includes all hosts.');
  expect((await audit(bob, '?all=true&cursor=1-1')).code).toBe('invalid_request');

  await ada.stop();
  const page = await audit(bob, '?all=true&command=create_token');
  expect([calls(page), page.hosts]).toEqual([['bob two'], ['bob']]);
  expect(page.missing).toEqual([{ host: 'ada', why: `does not answer at ${ada.url}` }]);
  expect(auditText(page)).toContain(`The host ada is not included: it does not answer at ${ada.url}.`);
});
