import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCache } from '../compile-cache.ts';
import { noteCommandLine, noteSettings } from '../exercised.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { cli, signalbox } from '../spawn.ts';
import { verifies } from '../verifies.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/team.md'), 'utf8');
/** The commands that a reader types, by the word behind `sh`. */
const blocks = [...guide.matchAll(/^```sh ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

type Typed = { code: number | null; out: string };
type Reader = { home: string; type(text: string, env?: Record<string, string>): Promise<Typed> };

function reader(): Reader & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-team-'));
  mkdirSync(join(home, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
  writeFileSync(join(home, 'bin', 'signalbox'), program, { mode: 0o755 });
  const suite = `require('node:fs').writeFileSync('junit.xml', '<testsuites><testsuite name="u"><testcase classname="Cart" name="total"/></testsuite></testsuites>')`;
  writeFileSync(join(home, 'suite.cjs'), suite);
  writeFileSync(join(home, 'package.json'), '{"scripts":{"test":"node suite.cjs"}}');
  return {
    home,
    async type(text, env = {}) {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
        cwd: home,
        env: { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, ...compileCache, ...env },
      });
      let out = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += piece));
      return { code: await new Promise<number | null>((resolve) => child.once('close', resolve)), out };
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

verifies(
  ['tls:both-ports', 'tls:read-again', 'login:cookie-under-tls', 'token:command-line', 'audit:command-line'],
  'a team is set up by the guide alone: TLS, three tokens, a claim, a proof, a sign-off, and the audit tells the story',
  async () => {
    using typist = reader();
    const { home } = typist;
    const settings = blocks.find(({ kind }) => kind === 'start')?.text ?? expect.fail('nothing starts the service');
    const setUp = blocks.findIndex(({ text }) => text.includes('SIGNALBOX_SERVICE_URL'));
    for (const { text, kind } of blocks.slice(0, setUp)) {
      if (kind !== 'start') expect((await typist.type(text)).code).toBe(0);
    }
    // Started as in the guide, but on free ports and for this machine only.
    const env = Object.fromEntries(
      [...settings.matchAll(/(Service__\w+)=(?!")(\S+)/g)].map(([, key = '', value = '']) => [key, value]),
    );
    expect(Object.keys(env).sort()).toEqual(['Service__SuiteProof', 'Service__TlsCert', 'Service__TlsKey']);
    const token = readFileSync(join(home, 'operator.token'), 'utf8').trim();
    noteSettings(Object.keys(env));
    await using service = signalbox(['start'], { ...env, Service__Token: token, PORT: '0,0' }, home);
    const [, url = '', consoleUrl = ''] = await service.says(
      /coordination\s+(\S+)\n\s+run console\s+(\S+)\n[\s\S]*reference/,
    );
    expect([url, consoleUrl]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^https:/)]);

    noteCommandLine(['tokens'], {});
    noteCommandLine(['audit'], {});
    const story = blocks
      .slice(setUp)
      .filter(({ kind }) => kind === '')
      .map(({ text }) => text)
      .join('\n');
    const typed = await typist.type(
      story.replaceAll('https://localhost:5526', url).replaceAll('https://localhost:5525', consoleUrl),
    );
    expect(typed.code, typed.out).toBe(0);
    const rows = typed.out.split('\n');
    expect(rows.find((row) => /^grace +author /.test(row))).toBeDefined();
    const told = (pattern: RegExp) => rows.some((row) => pattern.test(row));
    for (const step of [
      / operator +\S+ +rest +create_token +ci +done/,
      / grace +\S+ +rest +create_plan +shop +done/,
      / ada +\S+ +rest +claim_node +shop\/cart +done/,
      / ci +\S+ +ingest +ingest +\S+ +done/,
      / grace +\S+ +rest +sign_off_node +shop\/release +done/,
    ])
      expect.soft(told(step), `${step}\n${typed.out}`).toBe(true);
    expect(readFileSync(join(home, 'claim.out'), 'utf8')).toContain('"claimedBy": "ada"');
    expect(readFileSync(join(home, 'signed.out'), 'utf8')).toContain('signed off by grace: tried it');
    const curl = (path: string, ...more: string[]) =>
      execFileSync('curl', ['-sS', '--cacert', 'signalbox.crt', ...more, `${url}${path}`], {
        cwd: home,
        encoding: 'utf8',
      });
    const bearer = ['-H', `Authorization: Bearer ${token}`];
    await expect
      .poll(() => JSON.parse(curl('/api/plans/shop/nodes/cart', ...bearer)).evidence.detail)
      .toMatch(/^unit passed.*published by ci$/);
    const login = curl('/api/login', '-i', '-H', 'content-type: application/json', '-d', JSON.stringify({ token }));
    expect(login).toMatch(/set-cookie: __Host-signalbox_login_\d+=[^;]+; .*HttpOnly; SameSite=Strict; Secure/i);
    const stream = [
      '-sN',
      '--cacert',
      'signalbox.crt',
      ...bearer,
      '-H',
      'accept: text/event-stream',
      '--max-time',
      '1',
    ];
    const messages = spawnSync('curl', [...stream, '-w', '%{http_code}', '-o', '/dev/null', `${url}/api/messages`], {
      cwd: home,
      encoding: 'utf8',
    }).stdout;
    expect(messages).toBe('200');
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const mcpHeaders = ['-H', 'content-type: application/json', '-H', 'accept: application/json, text/event-stream'];
    expect(curl('/api/mcp', ...bearer, ...mcpHeaders, '-d', list)).toContain('claim_node');

    const revoke = blocks.find(({ text }) => text.startsWith('signalbox tokens revoke'))?.text ?? '';
    const clientEnv = {
      SIGNALBOX_SERVICE_URL: url,
      SIGNALBOX_TOKEN: token,
      NODE_EXTRA_CA_CERTS: join(home, 'signalbox.crt'),
    };
    expect(await typist.type(revoke, clientEnv)).toMatchObject({
      code: 0,
      out: expect.stringContaining('ada and its logins were revoked'),
    });
    const ada = readFileSync(join(home, 'ada.token'), 'utf8').trim();
    expect(curl('/api/plans', '-H', `Authorization: Bearer ${ada}`)).toContain('token_invalid');

    await typist.type(blocks[0]?.text ?? '');
    await expect.poll(() => service.err()).toContain('the new TLS certificate is in use');
    await expect.poll(() => curl('/api/ping')).toContain('signalbox');
  },
);

test('several hosts are set up by the guide: each trusts the certificate of the others, and doctor says so', async () => {
  using typist = reader();
  const { home } = typist;
  for (const { text } of blocks.slice(0, 2)) expect((await typist.type(text)).code).toBe(0);
  const block = blocks.find(({ kind }) => kind === 'hosts')?.text ?? expect.fail('nothing starts several hosts');
  const read = Object.fromEntries(
    [...block.matchAll(/(\w+)=(?!")(\S+)/g)].map(([, key = '', value = '']) => [key, value]),
  );
  expect(read).toMatchObject({ Service__Store: expect.stringMatching(/^postgres:/), HOST: '0.0.0.0' });
  // Started as in the guide, but in one place: on free ports, for this machine only, in a database of this test.
  const { HOST: _, Service__AdvertiseUrl: __, ...settings } = read;
  const token = readFileSync(join(home, 'operator.token'), 'utf8').trim();
  const env = { ...settings, Service__Store: await cloneDatabase(), Service__Token: token };
  noteSettings(Object.keys(read));
  const host = async (name: string) => {
    const own = { ...env, Service__HostName: name, Service__DataPath: join(home, name) };
    const process = signalbox(['start'], { ...own, PORT: '0,0' }, home);
    const [, url = '', consoleUrl = ''] = await process.says(
      /coordination\s+(\S+)\n\s+run console\s+(\S+)\n[\s\S]*reference/,
    );
    const PORT = [url, consoleUrl].map((one) => new URL(one).port).join();
    return Object.assign(process, { env: { ...own, PORT, SIGNALBOX_SERVICE_URL: url, SIGNALBOX_TOKEN: token } });
  };
  await using alpha = await host('alpha');
  await using beta = await host('beta');
  const look = blocks.find(({ text }) => text.includes('doctor --team'))?.text ?? '';
  for (const [one, other] of [
    [alpha, 'beta'],
    [beta, 'alpha'],
  ] as const)
    await expect
      .poll(async () => (await typist.type(look, one.env)).out)
      .toMatch(new RegExp(`reach of ${other}\\s+answers this host[\\s\\S]*"reach": "ok"`));
});

verifies('token:command-line', 'errors on the command line say what to do next', async () => {
  await using service = signalbox(['start'], { PORT: '0,0' });
  const [, url = ''] = await service.says(/coordination\s+(\S+)\n[\s\S]*reference/);
  const say = async (...args: string[]) => {
    await using spawned = signalbox([...args, '--url', url], {}, service.home);
    return [await spawned.ended, spawned.out() + spawned.err()];
  };
  expect(await say('tokens')).toEqual([
    0,
    'No named tokens yet. Create one with: signalbox tokens create NAME --scope work\n',
  ]);
  expect(await say('tokens', 'create', 'ada', '--scope', 'write')).toEqual([
    2,
    'Unknown scope write. Use read, work, author, publish, observe, admin.\n',
  ]);
  expect(await say('tokens', 'create', 'ada', '--scope', 'work')).toEqual([
    0,
    expect.stringMatching(/^sbx_\S{43}\nada: work\. It is not shown again\.\nThis service does not require tokens yet/),
  ]);
  expect(await say('tokens', 'revoke')).toEqual([2, 'Name a token, or use --all-sessions.\n']);
  expect(await say('tokens', 'revoke', 'eve')).toEqual([
    1,
    expect.stringContaining('"signalbox tokens list" lists them'),
  ]);
  expect(await say('audit', '--denied')).toEqual([0, 'No matching audit entries.\n']);
});
