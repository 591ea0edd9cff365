import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cli, startedProcess } from '../tests/spawn.ts';
import { caller } from '../tests/start.ts';

// The cost of one command: CPU and wall time of the installed program, in turn with `node -e 0`; then an idle service: memory, and
// how soon it listens. `SIGNALBOX_ROUNDS` sets the rounds (7).
const rounds = Number(process.env.SIGNALBOX_ROUNDS ?? 7);
type Taken = { cpuMs: number; wallMs: number };

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Run by bash, because its `time` counts the child's own CPU time. */
function timed(words: readonly string[], env: Record<string, string>): Taken {
  const script = 'TIMEFORMAT="%U %S %R"; time "$@" > /dev/null 2>&1 < /dev/null';
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  const [user = 0, system = 0, real = 0] = stderr.trim().split(/\s+/).map(Number);
  return { cpuMs: (user + system) * 1000, wallMs: real * 1000 };
}

const row = (...cells: readonly (string | number)[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

await using service = await startedProcess();
const call = caller(service.url);
await call('POST', '/api/plans', { plan: 'shop', nodes: Array.from({ length: 30 }, (_, n) => ({ id: `n${n}` })) });
await call('POST', '/api/plans/shop/nodes/n1/claim', { agent: 'ada' });
const hanging = createServer(() => undefined);
await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
const hangingUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
const env = (url: string) => ({ HOME: service.home, SIGNALBOX_SERVICE_URL: url, SIGNALBOX_AGENT: 'ada' });

const word = (...words: string[]) => [process.execPath, cli, ...words];
const asked: [name: string, words: string[], url: string][] = [
  ...[['ready'], ['status'], ['why', 'shop/n2'], ['summary'], ['tests'], ['prompt'], ['--help']].map(
    (words): [string, string[], string] => [`signalbox ${words.join(' ')}`, word(...words), service.url],
  ),
  ['signalbox prompt, service away', word('prompt'), 'http://127.0.0.1:9'],
  ['signalbox prompt, service hanging', word('prompt'), hangingUrl],
  ...['gh', 'bd']
    .filter((program) => spawnSync(program, ['--version']).status === 0)
    .map((program): [string, string[], string] => [`${program} --version`, [program, '--version'], service.url]),
];
const bare = [process.execPath, '-e', '0'];
const [bareTaken, taken] = [[] as Taken[], new Map<string, Taken[]>()];
for (let round = 0; round < rounds; round += 1)
  for (const [name, words, url] of asked) {
    bareTaken.push(timed(bare, env(url)));
    taken.set(name, [...(taken.get(name) ?? []), timed(words, env(url))]);
  }
hanging.closeAllConnections();
hanging.close();
const cpu = (all: readonly Taken[]) => median(all.map(({ cpuMs }) => cpuMs));
const wall = (all: readonly Taken[]) => median(all.map(({ wallMs }) => wallMs));
const least = (all: readonly Taken[]) => Math.min(...all.map(({ wallMs }) => wallMs));
const ms = (value: number) => value.toFixed(0);
row('', 'processor ms', '/ `node -e 0`', 'wall ms, median', 'wall ms, least');
row('---', '---', '---', '---', '---');
row('`node -e 0`', ms(cpu(bareTaken)), 1, ms(wall(bareTaken)), ms(least(bareTaken)));
for (const [name, all] of taken)
  row(`\`${name}\``, ms(cpu(all)), (cpu(all) / cpu(bareTaken)).toFixed(1), ms(wall(all)), ms(least(all)));

const status = `/proc/${service.child.pid}/status`;
if (existsSync(status))
  process.stdout.write(
    `\nidle: ${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024)} MB resident\n`,
  );
const starts: number[] = [];
for (let round = 0; round < Math.min(rounds, 5); round += 1) {
  const began = performance.now();
  await using _ = await startedProcess();
  starts.push(performance.now() - began);
}
const chunks = statSync(join(cli, '../..')).isDirectory()
  ? spawnSync('du', ['-sk', join(cli, '../..')], { encoding: 'utf8' }).stdout
  : '0';
process.stdout.write(
  `listening after: ${(median(starts) / 1000).toFixed(2)} s, least ${(Math.min(...starts) / 1000).toFixed(2)} s\n`,
);
process.stdout.write(`program: ${(Number.parseInt(chunks, 10) / 1024).toFixed(1)} MB unpacked\n`);
