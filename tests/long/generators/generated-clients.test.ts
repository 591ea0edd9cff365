import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, start } from '../../start.ts';
import { inOpenApi30 } from './open-api-30.ts';
import { heyApiLoop, openApiFetchLoop, pythonLoop } from './work-loops.ts';

// Third-party generators, installed here because they are too large for every checkout.
const packages = [
  '@redocly/cli@2.77.0',
  '@asyncapi/parser@3.6.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'typescript@5.9',
  // The last version that contains its program in the package; it supports OpenAPI 3.0.
  '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2',
];

const root = join(import.meta.dirname, '../../..');
let folder: string;
let service: Started;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-generators-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, ...packages], { cwd: folder, stdio: 'inherit' });
  for (const file of globSync('*.json', { cwd: join(root, 'docs/reference') }))
    copyFileSync(join(root, 'docs/reference', file), join(folder, file));
  service = await start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs next to the service of this process, which answers meanwhile. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const path = `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, PATH: path, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  return new Promise((resolve, reject) => {
    child.once('close', (code) =>
      code === 0 ? resolve(said) : reject(new Error(`${program} ended with ${code}: ${said}`)),
    );
  });
}

const compile = (file: string) =>
  run('tsc', ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', ...modern, file]);
const modern = ['--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions'];

test('redocly finds no error in either document', async () => {
  const said = await run('redocly', ['lint', 'openapi.coordination.json', 'openapi.console.json', '--format=stylish']);
  expect(said).not.toMatch(/\berror\b/);
});

test("AsyncAPI's own parser takes the document without an error", async () => {
  writeFileSync(
    join(folder, 'parse.mjs'),
    `import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';
const { document, diagnostics } = await new Parser().parse(readFileSync('asyncapi.json', 'utf8'));
const errors = diagnostics.filter(({ severity }) => severity === 0);
if (!document || errors.length > 0) throw new Error(JSON.stringify(errors));`,
  );
  await run(process.execPath, ['parse.mjs']);
});

test('a client by openapi-typescript and openapi-fetch passes the work loop', async () => {
  await run('openapi-typescript', ['openapi.coordination.json', '-o', 'api.d.ts']);
  writeFileSync(join(folder, 'openapi-fetch-loop.ts'), openApiFetchLoop);
  await compile('openapi-fetch-loop.ts');
  expect(await run(process.execPath, ['openapi-fetch-loop.ts', service.url])).toContain('done');
});

test('a client by hey-api passes the work loop', async () => {
  await run('openapi-ts', ['-i', 'openapi.coordination.json', '-o', 'hey', '-c', '@hey-api/client-fetch']);
  writeFileSync(join(folder, 'hey-loop.ts'), heyApiLoop);
  await run('tsc', [
    '--outDir',
    'hey-built',
    '--rootDir',
    '.',
    '--strict',
    '--skipLibCheck',
    ...bundled,
    'hey-loop.ts',
  ]);
  writeFileSync(join(folder, 'hey-built/package.json'), '{"type":"commonjs"}');
  expect(await run(process.execPath, ['hey-built/hey-loop.js', service.url])).toContain('done');
});
const bundled = [
  '--module',
  'commonjs',
  '--target',
  'es2022',
  '--moduleResolution',
  'node10',
  '--ignoreDeprecations',
  '5.0',
];

/** Debian: default-jre-headless, python3-urllib3, python3-dateutil. */
const hasPython =
  spawnSync('java', ['-version']).status === 0 &&
  spawnSync('python3', ['-c', 'import urllib3, dateutil, six']).status === 0;

test.skipIf(!hasPython)('a Python client by openapi-generator passes the work loop', async () => {
  writeFileSync(
    join(folder, 'openapi-30.json'),
    JSON.stringify(inOpenApi30(join(folder, 'openapi.coordination.json'))),
  );
  mkdirSync(join(folder, 'python'));
  const jar = 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar';
  const named = ['-o', 'python', '--package-name', 'signalbox_api', '--skip-validate-spec'];
  await run('java', ['-jar', jar, 'generate', '-g', 'python', '-i', 'openapi-30.json', ...named]);
  writeFileSync(join(folder, 'loop.py'), pythonLoop);
  const path = [join(folder, 'python'), process.env.PYTHONPATH ?? ''].join(delimiter);
  expect(await run('python3', ['loop.py', service.url], { PYTHONPATH: path })).toContain('done');
});
