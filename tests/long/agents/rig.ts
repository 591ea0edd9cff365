import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Board, Session } from '../../../packages/service/src/browser/contract.ts';
import { cli, startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import type { Installed } from './install.ts';
import { type ScriptedModel, startModel } from './model/server.ts';
import { type Place, type Program, prepareHome, programs } from './programs.ts';

/** The programs that `npm run test:agents` found installed; a missing program is skipped, and was reported then. */
export const installed: readonly Installed[] = JSON.parse(process.env.SIGNALBOX_AGENT_PROGRAMS ?? '[]');
export const isInstalled = (id: Program['id']): boolean => installed.some((one) => one.id === id);

export type Ran = { code: number | null; output: string };
export type Running = AsyncDisposable & {
  child: ChildProcess;
  output: () => string;
  ended: Promise<Ran>;
  kill: () => Promise<void>;
};

export type Rig = AsyncDisposable & {
  model: ScriptedModel;
  place: Place;
  url: string;
  call: ReturnType<typeof caller>;
  /** The path of the command, because a login shell, as Codex starts it, has its own PATH. */
  command: string;
  signalbox(...args: string[]): Ran;
  /** Creates a plan of the repository whose nodes are proven by their suites. */
  newPlan(plan: string, nodes: readonly string[]): Promise<void>;
  /** Starts a program with a prompt; it runs until the model's script ends, or until it is killed. */
  start(program: Program, args: readonly string[], cwd?: string): Running;
  /** The same in a terminal, as a person uses it; keys go to its standard input. */
  terminal(program: Program, args: readonly string[]): Running;
  /** A user's script that finds the programs on its PATH. */
  script(file: string, args: readonly string[]): Running;
  board(): Promise<Board>;
  sessions(tool: string): Promise<Session[]>;
  /** Asks until there is an answer; returns how long that took, in milliseconds. */
  until<Found>(ask: () => Promise<Found | undefined | false>, what: string, mostMs?: number): Promise<[Found, number]>;
};

/** The real service, a scripted model and a repository, in their own folder. Nothing leaves the machine. */
export async function openRig(
  connectArgs: readonly string[] = [],
  settings: Record<string, string> = {},
): Promise<Rig> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'agents-')));
  const home = join(root, 'home');
  const project = join(root, 'shop');
  const model = await startModel();
  const place = { home, project, modelUrl: model.url };
  await Promise.all([mkdir(home), newRepository(project), writeCommand(root)]);
  await prepareHome(place);
  const service = await startedProcess(settings, [], home);
  const call = caller(service.url);
  const env = environment(place, root, service);
  const children: Running[] = [];
  const signalbox = (...args: string[]) =>
    finished(spawnSync('signalbox', args, { cwd: project, env, encoding: 'utf8' }));
  const tools = programs.map(({ id }) => id).join(',');
  const connected = signalbox('connect', '--yes', '--url', service.url, '--for', tools, ...connectArgs);
  if (connected.code !== 0) throw new Error(connected.output);
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'Connect');
  const board = async () => (await call('GET', '/api/agents')).body as Board;
  return {
    model,
    place,
    url: service.url,
    call,
    command: join(root, 'bin/signalbox'),
    board,
    sessions: async (tool) => (await board()).sessions.filter((session) => session.tool === tool),
    until: (ask, what, mostMs = 100_000) =>
      until(ask, mostMs, async () => [what, ...model.log().slice(-5), ...(await lines(board))].join('\n')),
    signalbox,
    async newPlan(plan, nodes) {
      const bound = nodes.map((id) => ({ id, title: id, binding: { kind: 'suite' } }));
      const { status, text } = await call('POST', '/api/plans', {
        plan,
        title: plan,
        repository: 'acme/shop',
        nodes: bound,
      });
      if (status !== 201) throw new Error(text);
    },
    start(program, args, cwd = project) {
      const bin = installed.find(({ id }) => id === program.id)?.bin ?? program.bin;
      const running = runProgram(bin, args, cwd, { ...env, PWD: cwd });
      children.push(running);
      return running;
    },
    script(file, args) {
      const folders = installed.map(({ bin }) => dirname(bin));
      const PATH = [...folders, env.PATH].join(':');
      const running = runProgram(process.execPath, [file, ...args], project, { ...env, PATH, PWD: project });
      children.push(running);
      return running;
    },
    terminal(program, args) {
      const bin = installed.find(({ id }) => id === program.id)?.bin ?? program.bin;
      const command = [bin, ...args].map((word) => `'${word}'`).join(' ');
      const inTerminal = ['-qfec', `stty cols 160 rows 50; exec ${command}`, '/dev/null'];
      const running = runProgram('script', inTerminal, project, { ...env, PWD: project }, 'pipe');
      children.push(running);
      return running;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(({ kill }) => kill()));
      await service[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** None of the machine's own programs or keys: a separate home and only the listed variables. */
function environment(place: Place, root: string, service: { url: string; consoleUrl: string }): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: place.home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SIGNALBOX_URL: service.consoleUrl,
    SIGNALBOX_SERVICE_URL: service.url,
    ...Object.assign({}, ...programs.map((program) => program.env(place))),
  };
}

/** The `signalbox` command as an agent would find it. */
async function writeCommand(root: string): Promise<void> {
  const file = join(root, 'bin/signalbox');
  await mkdir(dirname(file));
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  await chmod(file, 0o755);
}

async function newRepository(project: string): Promise<void> {
  await mkdir(project);
  const manifest = { name: 'shop', scripts: { test: 'node --test' } };
  await writeFile(join(project, 'package.json'), `${JSON.stringify(manifest)}\n`);
  await writeFile(join(project, 'price.test.js'), "require('node:test')('a price', () => {});\n");
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'Begin');
}

export function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const finished = ({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }): Ran => ({
  code: status,
  output: stdout + stderr,
});

export function runProgram(
  bin: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  stdin: 'ignore' | 'pipe' = 'ignore',
): Running {
  // In its own process group: killing the group also kills the helpers that a program starts.
  const child = spawn(bin, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, output })));
  const kill = async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await ended;
  };
  return { child, output: () => output, ended, kill, [Symbol.asyncDispose]: kill };
}

async function until<Found>(
  ask: () => Promise<Found | undefined | false>,
  mostMs: number,
  what: () => Promise<string>,
): Promise<[Found, number]> {
  const began = performance.now();
  for (;;) {
    const found = await ask();
    const took = performance.now() - began;
    if (found !== undefined && found !== false) return [found, took];
    if (took > mostMs) throw new Error(`Not seen within ${mostMs} ms: ${await what()}`);
    await pause(50);
  }
}

/** The lines of the board, for the message of a failed scene. */
const lines = async (board: () => Promise<Board>): Promise<string[]> =>
  (await board()).sessions.map(({ tool, state, reason, pid, claims }) => {
    const held = claims.map(({ plan, node, health }) => `${plan}/${node} ${health}`);
    return [tool, state, reason, pid ?? '-', ...held].join(' ');
  });

/** Delays something until the test opens the gate. */
export function gate(): { open: () => void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: () => resolve(), opened: promise };
}
