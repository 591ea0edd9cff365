import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { signalbox } from '../spawn.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { type Jar, startWithPeople, visit } from './signed-in.ts';

/** What a person does at the provider with the code that the command line printed. */
async function enterCode(provider: TestProvider, user: string, code: string): Promise<void> {
  provider.next.user = user;
  const jar: Jar = new Map();
  const first = await visit(jar, `${provider.issuer}/device`);
  const page = await first.text();
  const submit = async (html: string, more: Record<string, string>): Promise<string> => {
    const members = new URLSearchParams(more);
    for (const [, name = '', value = ''] of html.matchAll(/name="(\w+)" value="([^"]*)"/g)) members.set(name, value);
    for (const [name, value] of Object.entries(more)) members.set(name, value);
    let at = `${provider.issuer}/device`;
    let response = await fetch(at, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: members,
    });
    for (let steps = 0; response.headers.has('location') && steps < 10; steps += 1) {
      keepCookies(jar, response);
      at = new URL(response.headers.get('location') ?? '', at).href;
      response = await visit(jar, at);
    }
    keepCookies(jar, response);
    return response.text();
  };
  const confirm = await submit(page, { user_code: code });
  await submit(confirm, { user_code: code, confirm: 'yes' });
}

function keepCookies(jar: Jar, response: Response): void {
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    jar.set(name, value);
  }
}

test('a person signs in on the command line, works under their name, and signs out', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider, { clock: systemClock, settings: { OidcCheckMinutes: '1' } });
  const env = { SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_URL: service.consoleUrl };
  const { home } = service;
  const run = async (...args: string[]) => {
    await using command = signalbox(args, env, home);
    return { code: await command.ended, out: command.out(), err: command.err() };
  };
  const before = await run('whoami');
  expect(before.code).toBe(1);
  expect(before.err).toContain('signalbox login');

  await using login = signalbox(['login', '--no-browser'], env, home);
  const [, code = ''] = await login.says(/enter the code (\S+)/);
  await enterCode(provider, 'grace', code);
  expect(await login.ended, login.err()).toBe(0);
  expect(login.out()).toContain(`You are grace@example.com at ${service.url}.`);

  const path = `${home}/.config/signalbox/credentials.json`;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).not.toContain(provider.issuer);
  expect((await run('whoami')).out).toContain('Your scopes: read, work, author.');
  const made = await run(
    'create_plan',
    '--document',
    JSON.stringify({ plan: 'shop', title: 'Shop', nodes: [{ id: 'cart' }] }),
  );
  expect(made.code, made.err).toBe(0);
  expect((await run('claim', 'shop/cart')).out).toContain('shop/cart');
  expect((await run('runs')).code).toBe(0);
  expect((await run('tokens', 'list')).err).toContain('grace@example.com has only work and author');

  // An expired pass is renewed automatically, and with it the provider's current claims.
  const kept = JSON.parse(await readFile(path, 'utf8'));
  kept[service.url].expiresAt = '2020-01-01T00:00:00.000Z';
  await writeFile(path, JSON.stringify(kept));
  provider.people.set('grace', { groups: ['eng'], email: 'grace@example.com' });
  expect((await run('whoami')).out).toContain('Your scopes: read, work.');
  expect(JSON.parse(await readFile(path, 'utf8'))[service.url].renewal).not.toBe(kept[service.url].renewal);

  await chmod(path, 0o644);
  expect((await run('whoami')).err).toContain('can be read by others');
  await chmod(path, 0o600);
  const token = JSON.parse(await readFile(path, 'utf8'))[service.url].token;
  expect((await run('logout')).out).toContain('grace@example.com is signed out.');
  expect((await service.call('GET', '/api/me', undefined, { authorization: `Bearer ${token}` })).status).toBe(401);
  expect((await run('whoami')).code).toBe(1);
});

test('a person without a group gets no pass, and a removed person gets no new one', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const started = (await service.call('POST', '/api/sign-in/device')).body;
  expect((await service.call('POST', '/api/sign-in/device/pass', { device: started.device })).status).toBe(202);
  await enterCode(provider, 'eve', started.userCode);
  const refused = await service.call('POST', '/api/sign-in/device/pass', { device: started.device });
  expect(refused.body).toMatchObject({ code: 'scope_required', detail: expect.stringContaining('eng (work)') });

  const again = (await service.call('POST', '/api/sign-in/device')).body;
  await enterCode(provider, 'ada', again.userCode);
  const pass = (await service.call('POST', '/api/sign-in/device/pass', { device: again.device })).body;
  const call = () => service.call('GET', '/api/me', undefined, { authorization: `Bearer ${pass.token}` });
  expect((await call()).body).toMatchObject({ name: 'ada@example.com', kind: 'person' });
  service.clock.advance(10 * 60_000);
  expect((await call()).status).toBe(401);
  provider.people.delete('ada');
  const over = await service.call('POST', '/api/sign-in/renew', { renewal: pass.renewal });
  expect(over.body).toMatchObject({ code: 'token_invalid', detail: expect.stringContaining('signalbox login') });
});

test('a pass counts on every host that has the same secret of the client', async () => {
  await using provider = await startProvider();
  await using alpha = await startWithPeople(provider, { settings: { HostName: 'alpha' } });
  await using beta = await startWithPeople(provider, { settings: { HostName: 'beta' } });
  const started = (await alpha.call('POST', '/api/sign-in/device')).body;
  await enterCode(provider, 'ada', started.userCode);
  const { token } = (await alpha.call('POST', '/api/sign-in/device/pass', { device: started.device })).body;
  const answer = await beta.call('GET', '/api/me', undefined, { authorization: `Bearer ${token}` });
  expect(answer.body).toMatchObject({ name: 'ada@example.com' });
});
