import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/prepare.mjs');

/** A checkout with two packages, and programs that record their calls and create the expected files. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  const packages = { 'node_modules/node': { version: '24.0.0' }, 'node_modules/vitest': { version: '5.0.0' } };
  write('package-lock.json', JSON.stringify({ packages }));
  write('package.json', '{}');
  const called = (name: string, makes: string) =>
    `#!/bin/sh\necho "${name} $*" >> '${folder}/called'\nmkdir -p ${makes}\n`;
  const made = [
    'packages/web/dist/index.html packages/web/dist/export/run.js',
    'packages/service/dist/cli/bin.js',
    'packages/publisher/dist-file/publisher.mjs',
  ].join(' ');
  const toStart = 'node_modules/fastify node_modules/vite';
  const all = `${toStart} node_modules/node node_modules/vitest`;
  write('bin/npm', `${called('npm', toStart)}case "$*" in *workspace*) ;; *) mkdir -p ${all};; esac\n`, 0o755);
  write('node_modules/.bin/node', called('node', made), 0o755);
  mkdirSync(join(folder, 'scripts'));
  cpSync(script, join(folder, 'scripts/prepare.mjs'));
  return {
    write,
    /** Prepares, and returns the programs that were called. */
    prepare(npm_lifecycle_event = 'pretest') {
      rmSync(join(folder, 'called'), { force: true });
      const env = { ...process.env, npm_lifecycle_event, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
      const { status, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: folder, env });
      expect(status, String(stderr)).toBe(0);
      const calls = existsSync(join(folder, 'called')) ? readFileSync(join(folder, 'called'), 'utf8') : '';
      return calls.trim().split('\n').filter(Boolean);
    },
    installs(vitest: string) {
      for (const name of ['node', 'vitest']) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      const found = { ...packages, 'node_modules/vitest': { version: vitest } };
      write('node_modules/.package-lock.json', JSON.stringify({ packages: found }));
    },
  };
}

const install = 'npm ci --no-audit --no-fund --loglevel=error';
const builds = [
  'node node_modules/vite/bin/vite.js build packages/web --logLevel warn',
  'node scripts/bundle.ts',
  'node scripts/one-file-publisher.ts',
];

test('a checkout is installed and built once, and again only when what it is made of changed', () => {
  const { prepare, write } = checkout();
  expect(prepare()).toEqual([install, ...builds]);
  expect(prepare()).toEqual([]);
  write('packages/web/src/main.ts', 'changed');
  expect(prepare()).toEqual(builds.slice(0, 1));
  write('packages/event-model/src/model.ts', 'changed');
  expect(prepare()).toEqual(builds.slice(0, 2));
});

test('what npm ci has installed is not installed a second time, unless other versions are asked for', () => {
  const typed = checkout();
  typed.installs('5.0.0');
  expect(typed.prepare()).toEqual(builds);
  const older = checkout();
  older.installs('4.9.0');
  expect(older.prepare()).toEqual([install, ...builds]);
});

test('a start installs the service and the page alone, and the first test the rest', () => {
  const { prepare, write } = checkout();
  const some = install.replace('ci', 'ci --workspace=signalbox --workspace=signalbox-web');
  expect(prepare('prestart')).toEqual([some, ...builds.slice(0, 2)]);
  expect(prepare('presignalbox')).toEqual([]);
  write('package.json', '{ "version": "2" }');
  expect(prepare('prestart')).toEqual([some]);
  expect(prepare()).toEqual([install, ...builds.slice(2)]);
  expect(prepare('prestart')).toEqual([]);
});
