import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { diagnose } from '../../packages/service/src/app/diagnose.ts';
import { createLog } from '../../packages/service/src/app/log.ts';
import { createSessionReaders } from '../../packages/service/src/coordination/agents/io/session-readers.ts';
import { readTls } from '../../packages/service/src/edge/tls-files.ts';
import { suiteBadge } from '../../packages/service/src/run-contract/suite-badge.ts';
import { migrate } from '../../packages/service/src/store/postgres/migrate-postgres.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';

let service: Started;
beforeAll(async () => {
  service = await start();
});
afterAll(() => service[Symbol.asyncDispose]());

const temporary = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `signalbox-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** The folders where each tool keeps its sessions. */
const id = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;
const sessionFiles: Record<string, (n: number) => string[]> = {
  'claude-code': (n) => [`projects/-x/${id(n)}.jsonl`, `sessions/${n}.json`],
  codex: (n) => [`sessions/2026/01/01/rollout-2026-01-01T09-00-00-${id(n)}.jsonl`],
  gemini: (n) => [`tmp/shop${n}/chats/session-${n}.jsonl`, `tmp/shop${n}/.project_root`, `tmp/shop${n}/logs.json`],
  copilot: (n) => [`session-state/${id(n)}/events.jsonl`, `session-state/${id(n)}/inuse.4${n}.lock`],
  opencode: (n) => [n === 1 ? 'opencode.db' : `storage/session/x/ses_${n}.json`],
  amp: (n) => [`threads/T-${id(n)}.json`],
};
const hostile: ReadonlyArray<(path: string) => unknown> = [
  (path) => symlinkSync('/dev/zero', path),
  (path) => execFileSync('mkfifo', [path]),
  (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
  },
  (path) => mkdirSync(path),
  (path) => symlinkSync(path, path),
  (path) => symlinkSync('/etc/passwd', path),
  (path) => symlinkSync(dirname(path), path),
];

test.each(Object.keys(sessionFiles))(
  'the session folder of %s with devices, pipes, sparse files, folders and loops for files is read to its end',
  async (tool) => {
    const clock = createSettableClock();
    for (const [at, make] of hostile.entries()) {
      const home = temporary('hostile');
      for (const n of [1, 2])
        for (const file of sessionFiles[tool]?.(n) ?? []) {
          mkdirSync(dirname(join(home, file)), { recursive: true });
          make(join(home, file));
        }
      const homesOf = (name: string) => (name === tool ? [home] : []);
      const [reader] = createSessionReaders(homesOf, (path) => ({ path, clock, watches: false }));
      const scan = await reader?.poll('all');
      expect(JSON.stringify(scan ?? {}), `${tool} ${at}`).not.toContain('root:');
    }
  },
);

test("a badge is well-formed and contains no markup from a suite's name", () => {
  const names = [
    '</text><script>alert(1)</script>',
    '" onload="alert(1)',
    "' x='",
    ']]>',
    '&#0;&amp;',
    'a\u0000b\u001b[2J\uFFFE',
    '\ud800',
    'x'.repeat(5_000),
  ];
  for (const name of names)
    for (const look of ['badge', 'runs'] as const) {
      const svg = suiteBadge(name, undefined, look);
      const elements: string[] = [];
      const parser = new SaxesParser();
      parser.on('error', (fault) => expect.fail(`${JSON.stringify(name)}: ${fault.message}`));
      parser.on('opentag', ({ name: element, attributes }) => elements.push(element, ...Object.keys(attributes)));
      parser.write(svg).close();
      expect(elements).not.toEqual(expect.arrayContaining(['script']));
      expect(elements.filter((one) => one.startsWith('on'))).toEqual([]);
    }
});

/** The same in the header that browsers send, with bytes that `fetch` would refuse to send. */
async function rawResumption(after: string): Promise<void> {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  const head = `GET /api/messages HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/event-stream\r\n`;
  socket.write(`${head}Last-Event-ID: ${after}\r\n\r\n`);
  const [first] = await once(socket, 'data');
  expect(String(first), after).toMatch(/^HTTP\/1\.1 (200|400|431) /);
  socket.destroy();
}

test('resuming after an unknown id is refused or starts over, on streams and sockets', async () => {
  for (const after of [
    '-1',
    '1e999',
    '18446744073709551616',
    '9'.repeat(10_000),
    '0x10',
    '١٢',
    '1\u0000',
    ' ',
    '%00',
    '../..',
  ]) {
    const abort = new AbortController();
    const answer = await fetch(`${service.url}/api/messages?after=${encodeURIComponent(after)}`, {
      headers: { accept: 'text/event-stream' },
      signal: abort.signal,
    });
    expect([200, 400, 431], after).toContain(answer.status);
    abort.abort();
    await rawResumption(after);
  }
  expect((await service.call('GET', '/api/ping')).status).toBe(200);
  expect(service.logged()).not.toContain('unexpected error');
});

test('a binding names one issue, pull request or repository, and no other path of the API', async () => {
  const names = [
    '../..#1',
    './..#2',
    '../user#3',
    '..#4',
    'a/..#5',
    'a/.#6',
    '../a#7',
    'a/b/../c#8',
    'a/b#1/../2',
    'a%2Fb#1',
  ];
  for (const [at, name] of names.entries())
    for (const binding of [
      { kind: 'issue', issue: name },
      { kind: 'pullRequest', pullRequest: name },
      { kind: 'dependency', repository: name.split('#')[0], name: 'x', version: '1' },
    ]) {
      if (binding.kind === 'dependency' && binding.repository === 'a/b') continue;
      const answer = await service.call('POST', '/api/plans', { plan: `p${at}`, nodes: [{ id: 'n', binding }] });
      expect([name, binding.kind, answer.status]).toEqual([name, binding.kind, 400]);
    }
  expect((await service.call('POST', '/api/plans', { plan: 'r', repository: '../..', nodes: [] })).status).toBe(400);
  const fine = { kind: 'issue', issue: 'a.b/..c#1' };
  expect((await service.call('POST', '/api/plans', { plan: 'fine', nodes: [{ id: 'n', binding: fine }] })).status).toBe(
    201,
  );
});

test('neither doctor nor the log shows the password of an address', async () => {
  const folder = temporary('doctor');
  const env = {
    HOME: folder,
    PORT: '0',
    CONSOLE_PORT: '0',
    Service__DataPath: folder,
    Service__GitHubUrl: 'http://ada:hush@127.0.0.1:9/api',
    Service__NpmRegistryUrl: 'http://hush@127.0.0.1:9/',
    Service__Store: 'postgres://ada:hush@127.0.0.1:9/x',
  };
  const findings = JSON.stringify(await diagnose({ env, args: [], cwd: folder, home: folder }));
  expect(findings).toContain('127.0.0.1:9');
  expect(findings).not.toContain('hush');
  let text = '';
  const log = createLog({ write: (line: string) => (text += line) } as never);
  log.warn(
    { url: 'https://ada:hush@host/x', err: new Error('cannot reach postgres://ada:hush@db/x') },
    'https://hush@host is away',
  );
  expect(text).toContain('db/x');
  expect(text).not.toContain('hush');
});

test('a certificate that is a pipe or a device ends the start instead of waiting for it', () => {
  const folder = temporary('tls');
  const [pipe, device] = [join(folder, 'pipe'), join(folder, 'device')];
  execFileSync('mkfifo', [pipe]);
  symlinkSync('/dev/zero', device);
  for (const path of [pipe, device, folder])
    expect(() => readTls({ cert: path, key: path })).toThrow(/regular file|EISDIR/);
});

test('a registry in the .npmrc of the working directory does not decide what proves a package', () => {
  const folder = temporary('npm');
  writeFileSync(join(folder, '.npmrc'), 'registry=http://evil.example/\n');
  const file = join(import.meta.dirname, '../../packages/service/src/coordination/evidence/io/npm-configuration.ts');
  const script = `const { npmFeedFor } = await import(${JSON.stringify(file)}); console.log((await npmFeedFor('x', undefined)).registry)`;
  const env = { PATH: process.env.PATH, HOME: folder === '' ? '' : temporary('home') };
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env,
    stdio: 'pipe',
  });
  expect(String(said)).not.toContain('evil');
});

test('who holds the lock of a database is named while a start waits for it, and it is not asked for without need', async () => {
  const url = await cloneDatabase();
  const connect = async (name: string) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const [evil, own] = [await connect('an evil one\u001b[2J'), await connect('signalbox')];
  await migrate(own);
  await evil.query('SELECT pg_advisory_lock(55265525)');
  const said: string[] = [];
  await migrate(own, (line) => said.push(line));
  expect(said).toEqual([]);
  await own.query('DROP SCHEMA signalbox CASCADE');
  const migrated = migrate(own, (line) => {
    said.push(line);
    void evil.query('SELECT pg_advisory_unlock(55265525)');
  });
  await migrated;
  expect(said).toEqual([
    expect.stringMatching(/^Waiting for the lock of \w+ \(an evil one[ -~]*process \d+: only one host/),
  ]);
});
