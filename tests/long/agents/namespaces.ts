import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { observerFile } from '../../observers/container.ts';
import { type Place, type Program, prepareHome } from './programs.ts';
import { git, installed, type Rig, type Running, runProgram } from './rig.ts';

const unshare = ['--pid', '--mount', '--net', '--fork', '--mount-proc', '--kill-child'];
/** From the range for network tests; the third number depends on this process, so that two can run at once. */
const network = `198.18.${process.pid % 256}`;
export const gateway = `${network}.1`;

function run(command: string, ...args: string[]): string {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? '' : `${command} ${args.join(' ')}: ${(error?.message ?? stderr).trim()}`;
}

/** Why a machine in namespaces is not possible here; null if it is. */
export const whyNoNamespaces = (() => {
  const link = `sbt${process.pid % 100_000}`;
  const why = run('unshare', ...unshare, 'true') || run('ip', 'link', 'add', link, 'type', 'veth', 'peer', `${link}p`);
  if (why === '') run('ip', 'link', 'del', link);
  return why || run('nsenter', '--version') || null;
})();

/** Forwards bytes from the side of the network that the machine sees. */
async function forward(url: string): Promise<AsyncDisposable & { url: string }> {
  const { port } = new URL(url);
  const server = createServer((socket) => {
    const target = dial(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  server.listen(Number(port), gateway);
  await once(server, 'listening');
  return {
    url: `http://${gateway}:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

export type Box = AsyncDisposable & {
  place: Place;
  start(program: Program, args: readonly string[]): Running;
  terminal(program: Program, args: readonly string[]): Running;
  observe(name: string): Running;
  /** Takes the process number inside the namespace. */
  kill(pid: number): void;
};

/** A separate machine: processes, mounts and network, with a home and a clone of the project. */
export async function openBox(rig: Rig): Promise<Box> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'box-')));
  const init = spawn('unshare', [...unshare, 'sh', '-c', 'ip link set lo up; echo up; exec sleep 3600']);
  await once(init.stdout, 'data');
  const children = readFileSync(`/proc/${init.pid}/task/${init.pid}/children`, 'utf8');
  const inside = (...command: string[]) => ['--target', children.trim(), '--pid', '--mount', '--net', '--', ...command];
  const link = `sb${process.pid % 100_000}`;
  const faults = [
    run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', children.trim()),
    run('ip', 'address', 'add', `${gateway}/24`, 'dev', link),
    run('ip', 'link', 'set', link, 'up'),
    run('nsenter', ...inside('ip', 'address', 'add', `${network}.2/24`, 'dev', 'eth0')),
    run('nsenter', ...inside('ip', 'link', 'set', 'eth0', 'up')),
  ].filter(Boolean);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const [model, service] = [await forward(rig.model.url), await forward(rig.url)];
  const place = { home: join(root, 'home'), project: join(root, 'shop'), modelUrl: model.url };
  mkdirSync(place.home);
  git(root, 'clone', '-q', rig.place.project, place.project);
  git(place.project, 'remote', 'set-url', 'origin', 'git@github.com:acme/shop.git');
  await prepareHome(place);
  const started: Running[] = [];
  const enter = (program: Program | null, command: readonly string[], stdin: 'ignore' | 'pipe' = 'ignore') => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: place.home, TERM: 'xterm-256color' };
    const all = { ...env, LANG: 'C.UTF-8', PWD: place.project, ...program?.env(place) };
    const running = runProgram('nsenter', inside('env', '-C', place.project, ...command), place.project, all, stdin);
    started.push(running);
    return running;
  };
  const binOf = ({ id, bin }: Program) => installed.find((one) => one.id === id)?.bin ?? bin;
  return {
    place,
    start: (program, args) => enter(program, [binOf(program), ...args]),
    terminal(program, args) {
      const command = [binOf(program), ...args].map((word) => `'${word}'`).join(' ');
      return enter(program, ['script', '-qfec', `stty cols 160 rows 50; exec ${command}`, '/dev/null'], 'pipe');
    },
    observe: (name) =>
      enter(null, [process.execPath, observerFile, '--to', service.url, '--name', name, '--enter', `enter ${name}`]),
    kill: (pid) => void run('nsenter', ...inside('kill', '-9', String(pid))),
    async [Symbol.asyncDispose]() {
      const ended = once(init, 'exit');
      init.kill('SIGKILL');
      await ended;
      await Promise.all(started.map((one) => one.kill()));
      await model[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      run('ip', 'link', 'del', link);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
