import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../packages/service/src/app/diagnose.ts';
import { makeCertificate } from '../certificates.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { oidcSettings, startWithPeople } from './signed-in.ts';

const day = 24 * 3_600_000;

/** The findings of `doctor --team` about sign-ins with these settings. */
async function findings(provider: TestProvider, more: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
  const settings = Object.entries({ ...(await oidcSettings(provider)), ...more });
  const env = { HOME: home, PORT: '1,2', ...Object.fromEntries(settings.map(([k, v]) => [`Service__${k}`, v])) };
  const found = await diagnose({ env, args: [], cwd: home, home }, true);
  return found
    .filter(({ about }) => about !== 'team')
    .map(({ about, state, found: what, next }) => `${state} ${about}: ${what} | ${next}`);
}

function newCertificate(from: number, until: number, name = 'localhost') {
  return makeCertificate(
    mkdtempSync(join(tmpdir(), 'signalbox-provider-')),
    name,
    Date.now() + from,
    Date.now() + until,
  );
}

test('doctor --team asks the sign-in provider, and whether it takes the client', async () => {
  await using provider = await startProvider();
  expect(await findings(provider)).toEqual([
    `ok sign-in provider: ${provider.issuer} | null`,
    'ok sign-in client: signalbox is accepted | null',
  ]);
});

test('a client id or a secret that the provider does not take is named', async () => {
  await using provider = await startProvider();
  const wrongId = await findings(provider, { OidcClientId: 'signalbax' });
  expect(wrongId).toContainEqual(expect.stringMatching(/^wrong sign-in client: signalbax is refused \(invalid_client/));
  const file = join(mkdtempSync(join(tmpdir(), 'signalbox-secret-')), 'secret');
  writeFileSync(file, 'another secret\n', { mode: 0o600 });
  expect(await findings(provider, { OidcClientSecret: file })).toContainEqual(
    expect.stringMatching(/^wrong sign-in client: .*invalid_client.* \| Check Service:OidcClientId and the file/),
  );
});

test('a certificate that is not trusted, or has expired, is named as the cause', async () => {
  await using unknown = await startProvider({ tls: newCertificate(-day, day) });
  expect(await findings(unknown)).toEqual([
    expect.stringMatching(/^wrong sign-in provider: .* does not know the authority .* NODE_EXTRA_CA_CERTS/),
  ]);
  await using over = await startProvider({ tls: newCertificate(-2 * day, -day) });
  expect(await findings(over)).toEqual([expect.stringMatching(/^wrong sign-in provider: .* expired on \d{4}-/)]);
});

test('an unknown name, a closed port, a wrong path and another issuer are distinguished', async () => {
  await using provider = await startProvider();
  const { port } = new URL(provider.issuer);
  const of = (OidcIssuer: string) => findings(provider, { OidcIssuer });
  expect(await of('https://login.invalid')).toEqual([
    'wrong sign-in provider: https://login.invalid: ENOTFOUND | The name login.invalid is not known to the DNS of this machine. Check Service:OidcIssuer and the DNS.',
  ]);
  expect(await of(`${provider.issuer}/realms/main`)).toEqual([
    expect.stringMatching(/it answered 404 \| Check the path of Service:OidcIssuer/),
  ]);
  expect(await of(`http://127.0.0.1:${port}`)).toEqual([
    expect.stringContaining(`it names itself ${provider.issuer} | Set Service:OidcIssuer to ${provider.issuer},`),
  ]);
  await provider.away();
  expect(await findings(provider)).toEqual([
    expect.stringContaining(`ECONNREFUSED | Nothing listens at localhost:${port}.`),
  ]);
});

test('a clock of the provider that is more than a minute away is wrong, and one that is less is not', async () => {
  await using late = await startProvider({ aheadMs: -90_000 });
  expect(await findings(late)).toContainEqual(
    expect.stringMatching(/^wrong clock of the provider: (89|9\d) s behind this machine \| Synchronise/),
  );
  await using near = await startProvider({ aheadMs: 20_000 });
  expect((await findings(near)).every((line) => line.startsWith('ok'))).toBe(true);
});

test('doctor --team reports that the running service cannot reach the provider', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  await provider.away();
  await fetch(`${service.url}/api/sign-in/start?to=/`, { redirect: 'manual' });
  const env = { HOME: service.home, PORT: `${service.running.coordination.port},${service.running.console.port}` };
  const settings = Object.entries(await oidcSettings(provider)).map(([key, value]) => [`Service__${key}`, value]);
  const inputs = { env: { ...env, ...Object.fromEntries(settings) }, args: [], cwd: service.home, home: service.home };
  expect(await diagnose(inputs, true)).toContainEqual(
    expect.objectContaining({ about: 'sign in provider away', state: 'warning' }),
  );
});
