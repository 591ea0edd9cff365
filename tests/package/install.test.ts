import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPrograms, commandOf, typeIn } from '../guide-commands.ts';
import { buildPublisher } from '../publishers/build.ts';
import { publishedBy } from '../publishers/recording-console.ts';

const root = join(import.meta.dirname, '../..');
const names = ['signalbox', 'signalbox-publisher', 'signalbox-client'];
type Packed = { name: string; version: string; filename: string };

/** The reader's home: a checkout next to a project, and a registry that has our packages in their published form. */
let home: string;
let packed: readonly Packed[];
let registry: AsyncDisposable & { url: string };
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-install-'));
  await buildPublisher();
  execFileSync(process.execPath, [join(root, 'scripts/build-client.ts')]);
  const checkout = join(home, 'signalbox');
  mkdirSync(checkout);
  const workspaces = names.flatMap((name) => ['--workspace', name]);
  const args = [
    'pack',
    ...workspaces,
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    checkout,
    '--loglevel=error',
  ];
  packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  registry = await serveRegistry(checkout, packed);
  addPrograms(home);
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

async function serveRegistry(folder: string, packed: readonly Packed[]) {
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(request.url?.slice(1) ?? '');
    const file = packed.find(({ filename }) => asked === filename);
    if (file) return response.end(readFileSync(join(folder, file.filename)));
    const found = packed.find(({ name }) => asked === name);
    if (!found) return response.writeHead(404).end('{}');
    const { name, version, filename } = found;
    const shasum = createHash('sha1')
      .update(readFileSync(join(folder, filename)))
      .digest('hex');
    const dist = { tarball: `${url}/${filename}`, shasum };
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function project(name: string): string {
  mkdirSync(join(home, name));
  writeFileSync(join(home, name, 'package.json'), '{"name":"shop","type":"module"}\n');
  writeFileSync(join(home, name, 'cart.test.js'), "import test from 'node:test';\ntest('adds', () => {});\n");
  return name;
}

const npmSettings = () => ({
  npm_config_registry: registry.url,
  npm_config_cache: join(home, 'cache'),
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
});
const publishes = commandOf(
  'docs/guides/node-test.md',
  'node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=signalbox-publisher/node-test --test-reporter-destination=stderr',
);

test.each([
  [...['vitest', 'playwright', 'jest', 'mocha', 'cucumber', 'node-test'], 'npm install --save-dev signalbox-publisher'],
  ['install', 'npm install --save-dev ../signalbox/signalbox-publisher-VERSION.tgz'],
])('%s: the publisher is installed as the guide says, and publishes', async (...words) => {
  const command = words.pop() ?? '';
  const [typed = ''] = words.map((guide) => commandOf(`docs/guides/${guide}.md`, command));
  const folder = project(words[0] ?? '');
  await using installing = typeIn(home, `cd ${folder}\n${typed}`, npmSettings());
  expect(await installing.ended, installing.output()).toBe(0);
  const of = await publishedBy(async (url) => {
    const env = { SIGNALBOX_URL: url, SIGNALBOX_PROBE_MS: '60000' };
    await using testing = typeIn(home, `cd ${folder}\n${publishes}`, env);
    expect(await testing.ended, testing.output()).toBe(0);
  });
  expect(of('run_finished')).toMatchObject([{ exitCode: 0, passed: 1 }]);
});

test.each([
  ['fleet', 'npm install signalbox-client'],
  ['install', 'npm install ../signalbox/signalbox-client-VERSION.tgz'],
])('%s: the client is installed as the guide says', async (guide, command) => {
  const typed = commandOf(`docs/guides/${guide}.md`, command);
  const check = `node -e "import('signalbox-client').then(({ connect }) => console.log(typeof connect))"`;
  await using typing = typeIn(home, `cd ${project(`client-${guide}`)}\n${typed}\n${check}`, npmSettings());
  expect(await typing.ended, typing.output()).toBe(0);
  expect(typing.output()).toContain('function');
});

test.each(names)('publint finds no problem in %s', async (name) => {
  const file = packed.find((one) => one.name === name)?.filename ?? '';
  const { buffer, byteOffset, byteLength } = readFileSync(join(home, 'signalbox', file));
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(pkg?.name).toBe(name);
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});
