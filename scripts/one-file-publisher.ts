import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InputOptions, rolldown } from 'rolldown';

// Makes packages/publisher/dist-file: the publishers of all frameworks as one file, with its types, for
// `signalbox connect --tests` to put into projects.
const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/publisher');
const target = join(folder, 'dist-file');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };

const head = (rest: string) => `/*
 * Signalbox publisher ${version}: tells a run console what a test run is doing, and does nothing where there is none.
 * Written by "signalbox connect --tests", taken out by "signalbox connect --tests --remove". No dependencies. MIT licence.
 */
/* eslint-disable */
/* oxlint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
${rest}`;

async function bundle(entry: string, more: Partial<InputOptions> = {}): Promise<string> {
  const build = await rolldown({ input: join(folder, 'src', entry), platform: 'node', logLevel: 'warn', ...more });
  const { output } = await build.generate({ format: 'esm', comments: false, minify: false });
  await build.close();
  if (output.length !== 1)
    throw new Error(`one file expected, not ${output.map(({ fileName }) => fileName).join(', ')}`);
  return output[0].code.replace(/^\/\/#(end)?region.*\n/gm, '');
}

/** The sending thread has no separate file: the one file contains its program, line by line. */
async function withThread(): Promise<string> {
  const lines = (await bundle('sender/thread.ts')).trimEnd().split('\n');
  const text = `const lines = [\n${lines.map((line) => `  ${JSON.stringify(line)},\n`).join('')}];
export const threadFile = new URL(\`data:text/javascript,\${encodeURIComponent(lines.join('\\n'))}\`);\n`;
  const load = (id: string) =>
    id.endsWith('/sender/thread-file.ts') ? { code: text, moduleType: 'js' as const } : null;
  return bundle('one-file.ts', { plugins: [{ name: 'thread-in-the-file', load }] });
}

/** The declarations of all exports in one file: every imported file is included. */
function types(): string {
  const made = mkdtempSync(join(tmpdir(), 'signalbox-types-'));
  try {
    const args = ['-p', join(folder, 'tsconfig.build.json'), '--outDir', made, '--emitDeclarationOnly'];
    execFileSync(process.execPath, [compiler, ...args], { stdio: 'inherit' });
    const taken = new Set<string>();
    return `${declarations(made, 'index', taken)}
declare const SignalboxReporter: new (...given: unknown[]) => object;
export default SignalboxReporter;
`;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function declarations(made: string, name: string, taken: Set<string>): string {
  if (taken.has(name)) return '';
  taken.add(name);
  const text = readFileSync(join(made, `${name}.d.ts`), 'utf8');
  const from = /^(?:import|export) [^;]*? from '\.\/([\w-]+)\.ts';\n/gms;
  const inner = [...text.matchAll(from)].map(([, other = '']) => declarations(made, other, taken));
  return inner.join('') + text.replace(from, '').replace(/^export \{\};\n/gm, '');
}

const code = head(`// @ts-nocheck\n${await withThread()}`);
const declared = head(types());
const fresh = `${target}.${process.pid}`;
mkdirSync(fresh, { recursive: true });
writeFileSync(join(fresh, 'publisher.mjs'), code);
writeFileSync(join(fresh, 'publisher.d.mts'), declared);
const check = ['--ignoreConfig', '--noEmit', '--strict', '--types', 'node', '--module', 'nodenext'];
execFileSync(process.execPath, [compiler, ...check, join(fresh, 'publisher.d.mts')], { cwd: root, stdio: 'inherit' });
rmSync(target, { recursive: true, force: true });
renameSync(fresh, target);
