// Prepares everything `npm start` and `npm test` need if it is missing or outdated; silent
// otherwise. Runs on any Node before anything is installed, so it imports only Node's own modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const say = (text) => process.stderr.write(`${text}\n`);

if (process.platform === 'win32' && process.env.npm_lifecycle_event === 'prestart') {
  say(
    'The service runs on Linux and macOS. On Windows type "wsl --install" once, then clone and "npm start" inside WSL.',
  );
  process.exit(1);
}

/** A fingerprint of files by content; folders count with everything below them. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
      return;
    }
    hash.update(path.slice(root.length)).update(readFileSync(path));
  };
  for (const path of paths) add(join(root, path));
  return hash.digest('hex');
}

/** Runs `work` unless the stamp shows that it was done for exactly these inputs. */
function once(name, inputs, made, work) {
  const stamp = join(root, 'node_modules', `.signalbox-${name}`);
  const now = fingerprint(inputs);
  const before = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (before === now && made.every((path) => existsSync(join(root, path)))) return;
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}

function run(command, args, explain) {
  say(`> ${command} ${args.join(' ')}`);
  const shell = process.platform === 'win32';
  // Tests call this too, and must not get a page built for development.
  const env = command === 'npm' ? process.env : { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(command, args, { cwd: root, env, shell, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  say(`${explain}${error ? ` (${error.message})` : ''}`);
  process.exit(1);
}

const packagesIn = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
const wanted = Object.entries(packagesIn('package-lock.json')).filter(
  ([path, { optional, link }]) => /(?:^|\/)node_modules\//.test(path) && !optional && !link,
);
/** Packages that the lock file installs inside a workspace: without them a checkout only looks installed. */
const inWorkspaces = wanted.map(([path]) => path).filter((path) => path.startsWith('packages/'));
const installed = ['node_modules/node', 'node_modules/vitest', ...inWorkspaces];

/** After `npm ci`, as in pipelines, npm has recorded what it installed. */
function isInstalled() {
  const note = 'node_modules/.package-lock.json';
  if (![note, ...installed].every((path) => existsSync(join(root, path)))) return false;
  const found = packagesIn(note);
  return wanted.every(([path, { version }]) => found[path]?.version === version);
}

/** Starting the service or a command needs no test tools, unless Node cannot run TypeScript: then the Node among the test tools is needed. */
const startsOnly =
  ['prestart', 'presignalbox'].includes(process.env.npm_lifecycle_event) &&
  Boolean(process.features.typescript) &&
  !existsSync(join(root, 'node_modules/vitest'));
const install = (name, made, ...which) =>
  once(name, ['package-lock.json', 'package.json'], made, () => {
    if (isInstalled()) return;
    run(
      'npm',
      ['ci', ...which, '--no-audit', '--no-fund', '--loglevel=error'],
      'Installing the dependencies failed: see the lines above, then run the command again.',
    );
  });
if (startsOnly)
  install(
    'install-to-start',
    ['node_modules/fastify', 'node_modules/vite', ...inWorkspaces],
    '--workspace=signalbox',
    '--workspace=signalbox-web',
  );
else install('install', installed);

const ownNode = join('node_modules', '.bin', 'node');
const node = existsSync(join(root, ownNode)) ? ownNode : process.execPath;

// The web is built when its own sources changed, or those of the service and the event model that run in the browser too.
const web = ['src', 'public', 'index.html', 'vite.config.ts', 'vite.export.config.ts', 'package.json'].map(
  (path) => `packages/web/${path}`,
);
const shared = [
  'browser',
  'client',
  'coordination/activity',
  'coordination/claims',
  'coordination/evidence',
  'coordination/plans',
  'coordination/runs',
  'console/runs',
  'kernel',
  'run-contract',
  'event-loop',
].map((path) => `packages/service/src/${path}`);
once(
  'web',
  ['package-lock.json', 'tsconfig.base.json', 'examples/plans', 'packages/event-model/src', ...web, ...shared],
  ['packages/web/dist/index.html', 'packages/web/dist/export/run.js'],
  () =>
    run(
      node,
      ['node_modules/vite/bin/vite.js', 'build', 'packages/web', '--logLevel', 'warn'],
      'Building the web failed: see the lines above.',
    ),
);

// The program and its dependencies, bundled.
once(
  'program',
  [
    'package-lock.json',
    'scripts/bundle.ts',
    'packages/service/src',
    'packages/event-model/src',
    'packages/publisher/src',
  ],
  ['packages/service/dist/cli/bin.js'],
  () => run(node, ['scripts/bundle.ts'], 'Building the service failed: see the lines above.'),
);

// The publisher file that `signalbox connect --tests` adds to projects.
const publisher = ['src', 'package.json', 'tsconfig.build.json'].map((path) => `packages/publisher/${path}`);
if (!startsOnly)
  once(
    'publisher',
    ['scripts/one-file-publisher.ts', ...publisher],
    ['packages/publisher/dist-file/publisher.mjs'],
    () => run(node, ['scripts/one-file-publisher.ts'], 'Making the publisher failed: see the lines above.'),
  );
