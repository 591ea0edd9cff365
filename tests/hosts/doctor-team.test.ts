import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../packages/service/src/app/diagnose.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { makeCertificate } from '../certificates.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';
import { silenceHost } from './silence-host.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 100 };

async function findings({ home, running, dataPath }: Started, Store: string) {
  const env = {
    HOME: home,
    PORT: `${running.coordination.port},${running.console.port}`,
    Service__DataPath: dataPath,
    Service__Store: Store,
  };
  const found = await diagnose({ env, args: [], cwd: home, home }, true);
  return found.map(({ about, state, found: what, next }) => `${state} ${about}: ${what} | ${next}`);
}

test('doctor --team lists every host: version, duty, clock, reach, and which one is away', async () => {
  const Store = await cloneDatabase();
  const settings = { Store, LicenceGate: 'off' };
  await using ada = await start({ clock: systemClock, settings: { ...settings, HostName: 'ada' } });
  const slow = { ...systemClock, wall: () => Date.now() - 5_000 };
  const bob = await start({ clock: slow, settings: { ...settings, HostName: 'bob' } });
  const told = () => findings(ada, Store);
  await expect
    .poll(told, patience)
    .toContainEqual(expect.stringMatching(/^warning clock of bob: [45]\.\d s behind the database/));
  const all = await told();
  expect(all).toContainEqual(expect.stringMatching(/^ok host ada: \d+\.\d+\.\d+\S*, http:\/\/localhost:\d+/));
  expect(all).toContainEqual('ok reach of bob: answers this host | null');
  expect(all.filter((line) => line.includes('sessions behind claims'))).toHaveLength(1);
  await bob.stop();
  await silenceHost(Store, 'bob', 31);
  await expect
    .poll(told, patience)
    .toContainEqual(expect.stringMatching(/^warning host bob: away, last heard from at 20/));
  await bob[Symbol.asyncDispose]();
});

test('a run of a host with a certificate that this one does not trust is refused with that cause, by the run and by doctor', async () => {
  const Store = await cloneDatabase();
  const settings = { Store, LicenceGate: 'off' };
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-untrusted-'));
  const day = 24 * 3_600_000;
  const { cert, key } = makeCertificate(folder, 'localhost', Date.now() - day, Date.now() + day);
  await using ada = await start({ clock: systemClock, settings: { ...settings, HostName: 'ada' } });
  await using bob = await start({
    clock: systemClock,
    settings: { ...settings, HostName: 'bob', TlsCert: cert, TlsKey: key },
  });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  await bob.console('POST', '/api/ingest', { events: wholeRun('of-bob', 'Cart/total', 'CleanPass') });
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  const status = async () => (await ada.call('GET', '/api/runs/of-bob')).body;
  await expect.poll(async () => (await status()).code, patience).toBe('host_unavailable');
  expect((await status()).detail).toMatch(/^The host bob has it\. .*does not know the authority.*NODE_EXTRA_CA_CERTS/);
  expect(await findings(ada, Store)).toContainEqual(
    expect.stringMatching(/^wrong reach of bob: this host cannot reach it \| .*NODE_EXTRA_CA_CERTS/),
  );
});
