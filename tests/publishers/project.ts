import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileCache } from '../compile-cache.ts';
import { buildPublisher } from './build.ts';
import { followGroup, killGroup } from './kill-group.ts';

const root = join(import.meta.dirname, '../..');
/** The source of the frameworks and of the Node that runs them: the repository's own, or those of a tested version. */
const packagesRoot = process.env.SIGNALBOX_SUITE_PACKAGES ?? root;
const node = process.env.SIGNALBOX_SUITE_NODE ?? process.execPath;

export type ProcessResult = { code: number | null; stdout: string; stderr: string; ms: number };
export type Started = {
  child: ChildProcess;
  ended: Promise<ProcessResult>;
  /** Kills the program and everything it has started. */
  killAll(): void;
};
export type Project = AsyncDisposable & {
  folder: string;
  /** The Node that runs its tests. */
  node: string;
  /** Starts a Node program of the project with a clean environment. */
  start(args: readonly string[], env?: Record<string, string>): Started;
  run(args: readonly string[], env?: Record<string, string>): Promise<ProcessResult>;
  read(file: string): Promise<string>;
};

/** A separate project in a temporary folder, with the built publisher and the named packages installed. */
export async function createProject(files: Record<string, string>, packages: readonly string[]): Promise<Project> {
  await buildPublisher();
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-project-'));
  const all = { 'package.json': '{"name":"shop","type":"module"}', '.git/HEAD': 'ref: refs/heads/main\n', ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  for (const name of ['signalbox-publisher', ...packages]) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true });
    const target = name === 'signalbox-publisher' ? join(root, 'packages/publisher') : binOf(name);
    await symlink(target, join(folder, 'node_modules', name));
  }
  const started: Started[] = [];
  const start: Project['start'] = (args, env = {}) => {
    const program = startIn(folder, args, env);
    started.push(program);
    return program;
  };
  return {
    folder,
    node,
    start,
    run: (args, env) => start(args, env).ended,
    read: (file) => readFile(join(folder, file), 'utf8'),
    [Symbol.asyncDispose]: async () => {
      for (const program of started) program.killAll();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Nothing of the run that this test belongs to may reach the tested run. The console answers from the test process, which may be busy. */
function cleanEnvironment(): Record<string, string> {
  const foreign = /^(SIGNALBOX|VITEST|JEST|MOCHA|NODE_|CLAUDE|TEST$|DEV$|PROD$|MODE$|BASE_URL$|FORCE_COLOR|CI$)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...compileCache,
    NO_COLOR: '1',
    SIGNALBOX_PROBE_MS: '60000',
  };
}

function startIn(cwd: string, args: readonly string[], env: Record<string, string>): Started {
  const began = performance.now();
  // In its own group: a killed runner leaves its workers behind, some of them busy forever.
  const child = followGroup(spawn(node, args, { cwd, env: { ...cleanEnvironment(), ...env }, detached: true }));
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text) => (stdout += text));
  child.stderr?.on('data', (text) => (stderr += text));
  const ended = new Promise<ProcessResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, ms: performance.now() - began }));
  });
  return { child, ended, killAll: () => killGroup(child) };
}

/** The script of an installed package's command. */
export const binOf = (name: string): string => join(packagesRoot, 'node_modules', name);
