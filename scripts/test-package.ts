import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Packs the package, installs the tarball elsewhere, and starts it on the oldest and the newest supported Node.
const root = join(import.meta.dirname, '..');
const workFolder = mkdtempSync(join(tmpdir(), 'signalbox-package-'));
// With everything it runs on: no other package is installed but zod, which its types name.
/** Documents for machines, the observer as one file and the files for Prometheus are part of it. */
const mostKilobytes = 2500;
const oldestNode = '22.23.3';

const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const fail = (text: string): never => {
  throw new Error(text);
};

/** npm 12 runs no install script that the folder does not allow, and Node itself comes with one. */
function install(folder: string, ...what: string[]): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  npm(['install', ...what], folder);
}

/** The lines of docs/guides/install.md as they stand there; the packages and the global folder are made elsewhere. */
function typeGuide(): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const lines = [
    'npm run build',
    'npm pack --workspace signalbox --workspace signalbox-publisher --workspace signalbox-client',
    'npm install --global ./signalbox-VERSION.tgz',
  ].map((line) => line.replace('VERSION', version));
  const guide = readFileSync(join(root, 'docs/guides/install.md'), 'utf8');
  if (!guide.includes(lines.join('\n'))) fail('docs/guides/install.md says something else');
  const made = { npm_config_pack_destination: workFolder, npm_config_prefix: join(workFolder, 'global') };
  const env = { ...process.env, ...made, npm_config_loglevel: 'error' };
  for (const line of lines)
    execFileSync('bash', ['-c', line], { cwd: line.includes('--global') ? workFolder : root, env, stdio: 'inherit' });
  const bin = join(workFolder, 'global/bin/signalbox');
  if (execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim() !== version) fail(`${bin} is another version`);
}

async function tryOn(node: string, bin: string): Promise<void> {
  const run = (args: readonly string[]) => execFileSync(node, [bin, ...args], { encoding: 'utf8' });
  const said = run(['--version']).trim();
  const child = spawn(node, [bin, 'start'], {
    env: { PATH: process.env.PATH, HOME: workFolder, PORT: '0,0' },
    cwd: workFolder,
  });
  const output = await outputOf(child);
  const warned = output.err !== '';
  const urls = [...output.out.matchAll(/http:\/\/localhost:\d+(?=\n)/g)].map(([url]) => url);
  for (const url of urls) {
    const { tool } = (await (await fetch(`${url}/api/ping`)).json()) as { tool: string };
    if (tool !== 'signalbox') fail(`${url} did not answer as it should`);
  }
  const page = await (await fetch(`${urls[0]}/`)).text();
  if (!page.includes('<html')) fail('the web is not in the package');
  // Long texts are read by a thread, whose file must be there too.
  const document = `${'# a comment\n'.repeat(5_000)}nodes:\n  - id: a\n`;
  const sent = { method: 'PUT', headers: { 'content-type': 'application/yaml' }, body: document };
  const { ok } = await fetch(`${urls[0]}/api/plans/long`, sent);
  if (!ok) fail('a long plan could not be imported');
  tryClient(node, urls[0]);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
  if (warned) fail(`it printed a warning: ${output.err}`);
  process.stdout.write(
    `ok  signalbox ${said} on ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}: both ports answer\n`,
  );
}

const clientProgram = `
import { connect, Refused } from 'signalbox-client';
const box = connect({ url: process.argv[2] });
const refused = await box.call('get_plan', { plan: 'nowhere' }).catch((error) => error instanceof Refused && error.code);
const worker = box.work({ agent: 'ada', unbound: true, onIdle: () => worker.stop() }, () => undefined);
await worker.done;
box.close();
if (refused !== 'plan_not_found') throw new Error('the client was not refused as it should be');
`;

/** The packed client against the service that was just started. */
function tryClient(node: string, url: string | undefined): void {
  writeFileSync(join(workFolder, 'client.mjs'), clientProgram);
  execFileSync(node, ['client.mjs', url ?? ''], { cwd: workFolder, stdio: 'inherit', timeout: 300_000 });
}

const outputOf = (child: ChildProcess) =>
  new Promise<{ out: string; err: string }>((resolve, reject) => {
    const said = { out: '', err: '' };
    child.stderr?.on('data', (text) => {
      said.err += text;
    });
    child.stdout?.on('data', (text) => {
      said.out += text;
      if (said.out.includes('reference')) resolve(said);
    });
    child.once('close', () => reject(new Error(`it ended: ${said.out}${said.err}`)));
  });

try {
  typeGuide();
  const [{ filename = '', files = [] } = {}] = JSON.parse(
    npm(['pack', '--json', '--pack-destination', workFolder], join(root, 'packages', 'service')),
  );
  const kilobytes = Math.round(statSync(join(workFolder, filename)).size / 1024);
  const strays = (files as Array<{ path: string }>).filter(
    ({ path }) => /\.test\.|\.ts$/.test(path) && !path.endsWith('.d.ts'),
  );
  if (strays.length > 0) fail(`the package holds sources: ${strays.map(({ path }) => path).join(', ')}`);
  if (kilobytes > mostKilobytes) fail(`the package has ${kilobytes} KB; at most ${mostKilobytes}`);
  execFileSync(process.execPath, [join(root, 'scripts', 'build-client.ts')], { stdio: 'inherit' });
  const [{ filename: clientFile = '' } = {}] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', workFolder], join(root, 'packages', 'client')),
  );
  install(workFolder, `./${filename}`, `./${clientFile}`);
  const bin = join(workFolder, 'node_modules', 'signalbox', 'dist', 'cli', 'bin.js');
  const oldest = join(workFolder, 'oldest');
  mkdirSync(oldest);
  install(oldest, `node@${oldestNode}`);
  for (const node of [join(oldest, 'node_modules', 'node', 'bin', 'node'), process.execPath]) await tryOn(node, bin);
  process.stdout.write(`ok  ${filename}: ${kilobytes} KB, ${files.length} files\n`);
  const env = { ...process.env, SIGNALBOX_LONG: 'short' };
  execFileSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/package'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}
