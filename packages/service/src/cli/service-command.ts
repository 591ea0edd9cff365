import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { consoleRoutes } from '../browser/routes.ts';
import type { CommandLine } from '../platform/command-line.ts';
import { platform } from '../platform/platform.ts';
import type { KeptState, ServiceManager } from '../platform/service-manager.ts';
import { CallFailed, createClient, exitCodes, serviceAddress, urlOption } from './client.ts';
import { agreed } from './connect/agreed.ts';
import { diffOf } from './connect/change.ts';
import { table } from './table.ts';

const name = 'signalbox';
const answersWithinMs = 30_000;

type Options = { yes?: boolean; url?: string; lines?: string; follow?: boolean };

/** `signalbox service install | status | logs | uninstall`: kept running by the system, as a service of this user. */
export function addService(program: Command): void {
  const service = program
    .command('service')
    .description('keep the service running with systemd or launchd, for this user');
  service
    .command('install')
    .description('write the unit, start it now and at every login, and wait until it answers; shows the unit first')
    .option('--yes', 'do not ask for confirmation')
    .option(...urlOption)
    .addHelpText(
      'after',
      '\nPass settings as for start: --Service:PlansPath=plans. PORT and HOST come from the environment.',
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action((options: Options, command: Command) => install(options, command.args));
  service
    .command('status')
    .description('show whether it is installed, running and answering')
    .option(...urlOption)
    .action(status);
  service
    .command('logs')
    .description('show its last log lines')
    .option('-n, --lines <count>', 'how many lines', '50')
    .option('-f, --follow', 'follow the log')
    .action(logs);
  service
    .command('uninstall')
    .description('stop it and remove the unit; the data stays')
    .option('--yes', 'do not ask for confirmation')
    .action(uninstall);
}

async function manager(): Promise<ServiceManager> {
  const found = await platform.serviceManager();
  if (found.kind === 'none') throw new CallFailed(found.reason, exitCodes.refused);
  return found;
}

async function install({ yes = false, url }: Options, settings: readonly string[]): Promise<void> {
  const stray = settings.find((word) => !word.startsWith('--Service:'));
  if (stray !== undefined)
    throw new CallFailed(`${stray} is not a setting. Settings look like --Service:PlansPath=plans.`, exitCodes.usage);
  const kept = await manager();
  const path = kept.definitionPath(name);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
  const after = kept.definition({
    name,
    description: 'Signalbox, local control room for coding agents',
    command: [process.execPath, realpathSync(process.argv[1] ?? ''), 'start', ...settings],
    folder: homedir(),
    env: Object.fromEntries(['PORT', 'HOST'].flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : []))),
  });
  if (before !== after) {
    process.stdout.write(`${diffOf({ path, before, after })}\n`);
    if (!(await mayWrite(path, yes))) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after);
  }
  await runAll(before === null || before === after ? kept.install(name) : kept.restart(name));
  await answering(url);
  const beyond = kept.beyondLogin === null ? '' : `To keep it running while nobody is logged in: ${kept.beyondLogin}\n`;
  process.stdout.write(
    `Running at ${serviceAddress(url)}, now and after every login.\n${beyond}Next: signalbox open\n`,
  );
}

async function status({ url }: Options): Promise<void> {
  const kept = await manager();
  const state = await kept.stateOf(name);
  const answers = await isAnswering(url);
  process.stdout.write(
    table(
      ['WHAT', 'STATE'],
      [
        [kept.kind, stateText(state)],
        [serviceAddress(url), answers ? 'running, answers' : 'does not answer'],
      ],
    ),
  );
  if (state.state !== 'running' || !answers) process.exitCode = exitCodes.refused;
}

function stateText(state: KeptState): string {
  if (state.state === 'running') return state.pid === null ? 'running' : `running, process ${state.pid}`;
  if (state.state === 'not installed') return 'not installed: signalbox service install';
  return `${state.state}: ${state.why}`;
}

async function logs({ lines = '50', follow = false }: Options): Promise<void> {
  const kept = await manager();
  process.exitCode = await inherit(kept.logs(name, { lines: Number(lines), follow }));
}

async function uninstall({ yes = false }: Options): Promise<void> {
  const kept = await manager();
  const path = kept.definitionPath(name);
  if (!existsSync(path)) return void process.stdout.write('Not installed. Nothing to do.\n');
  process.stdout.write(`${diffOf({ path, before: readFileSync(path, 'utf8'), after: null })}\n`);
  if (!(await mayWrite(path, yes))) return;
  await runAll(kept.uninstall(name), true);
  rmSync(path);
  await runAll(kept.afterRemoval, true);
  process.stdout.write('Uninstalled. The data was not removed; "signalbox start" serves it.\n');
}

async function mayWrite(path: string, yes: boolean): Promise<boolean> {
  if (yes || (await agreed(dirname(path)))) return true;
  process.exitCode = exitCodes.refused;
  return false;
}

/** One after the other; the first that fails ends it, unless something is being taken down. */
async function runAll(commands: readonly CommandLine[], goOn = false): Promise<void> {
  for (const command of commands) {
    const code = await inherit(command);
    if (code === 0 || goOn) continue;
    const typed = [command.program, ...command.args].join(' ');
    throw new CallFailed(
      `"${typed}" failed. "signalbox service logs" shows why, "signalbox service uninstall" undoes it.`,
      exitCodes.refused,
    );
  }
}

function inherit({ program, args }: CommandLine): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function isAnswering(url: string | undefined): Promise<boolean> {
  try {
    return (await createClient(url).send(restRequest(consoleRoutes.ping, {}))).ok;
  } catch {
    return false;
  }
}

async function answering(url: string | undefined): Promise<void> {
  for (const until = Date.now() + answersWithinMs; Date.now() < until; await pause(250))
    if (await isAnswering(url)) return;
  throw new CallFailed(
    `The service was started but does not answer at ${serviceAddress(url)}. "signalbox service logs" shows why.`,
    exitCodes.unreachable,
  );
}
