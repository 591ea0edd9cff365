import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { consoleRoutes } from '../browser/routes.ts';
import type { CommandLine } from '../platform/command-line.ts';
import { platform } from '../platform/platform.ts';
import type { KeptProgram, KeptState, ServiceManager } from '../platform/service-manager.ts';
import { serviceAddress, tokenOf } from './addresses.ts';
import { CallFailed, createClient, exitCodes, urlOption } from './client.ts';
import { agreed } from './connect/agreed.ts';
import { diffOf } from './connect/change.ts';
import { table } from './table.ts';

const name = 'signalbox';
const notifierName = 'signalbox-notify';
const answersWithinMs = 30_000;

type Options = { yes?: boolean; url?: string; notify?: boolean; lines?: string; follow?: boolean };

/** `signalbox service install | status | logs | uninstall`: runs Signalbox as a system service of this user. */
export function addService(program: Command): void {
  const service = program
    .command('service')
    .description('keep the service running with systemd or launchd, for this user');
  service
    .command('install')
    .description('write the unit, start it now and at every login, and wait until it answers; shows the unit first')
    .option('--notify', 'also show desktop notifications, at every login')
    .option('--yes', 'do not ask for confirmation')
    .option(...urlOption)
    .addHelpText(
      'after',
      '\nPass settings as for start: --Service:PlansPath=plans. PORT, CONSOLE_PORT, HOST and every Service__ variable are taken from the environment.',
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action((options: Options, command: Command) => install(options, command.args));
  service
    .command('status')
    .description('show whether the service is installed, running and answering')
    .option(...urlOption)
    .action(status);
  service
    .command('logs')
    .description('show the last log lines of the service')
    .option('-n, --lines <count>', 'how many lines', '50')
    .option('-f, --follow', 'follow the log')
    .action(logs);
  service
    .command('uninstall')
    .description('stop the service and remove its unit; the data stays')
    .option('--yes', 'do not ask for confirmation')
    .action(uninstall);
}

async function manager(): Promise<ServiceManager> {
  const found = await platform.serviceManager();
  if (found.kind === 'none') throw new CallFailed(found.reason, exitCodes.refused);
  return found;
}

async function install({ yes = false, url, notify = false }: Options, settings: readonly string[]): Promise<void> {
  const stray = settings.find((word) => !word.startsWith('--Service:'));
  if (stray !== undefined)
    throw new CallFailed(`${stray} is not a setting. Settings look like --Service:PlansPath=plans.`, exitCodes.usage);
  const address = serviceAddress(url);
  const kept = await manager();
  const program = [process.execPath, realpathSync(process.argv[1] ?? '')] as const;
  const service = { name, description: 'Signalbox, local control room for coding agents' };
  if (!(await keep(kept, { ...service, command: [...program, 'start'], env: settingsInForce(settings) }, yes))) return;
  await answering(url);
  const beyond = kept.beyondLogin === null ? '' : `To keep it running while nobody is logged in: ${kept.beyondLogin}\n`;
  process.stdout.write(`Running at ${address}, now and after every login.\n${beyond}Next: signalbox open\n`);
  if (!notify) return;
  const token = tokenOf(process.env);
  const notifier = { name: notifierName, description: 'Signalbox desktop notifications' };
  const command = [...program, 'notify', '--url', address] as const;
  const env = token === undefined ? {} : { SIGNALBOX_TOKEN: token };
  if (await keep(kept, { ...notifier, command, env }, yes))
    process.stdout.write('Desktop notifications are on. "signalbox service uninstall" removes both.\n');
}

/** Shows the files, writes them and starts the service; false if the person did not agree. */
async function keep(
  kept: ServiceManager,
  { env: given, ...part }: Omit<KeptProgram, 'folder' | 'envFile'>,
  yes: boolean,
): Promise<boolean> {
  const path = kept.definitionPath(part.name);
  const envFile = kept.envPath(part.name);
  const before = textOf(path);
  // Earlier settings stay unless this shell overrides them.
  const env = { ...kept.readEnv(`${before ?? ''}\n${envFile === null ? '' : (textOf(envFile) ?? '')}`), ...given };
  const after = kept.definition({ ...part, folder: homedir(), env, envFile });
  const isChanged = before !== after || (envFile !== null && textOf(envFile) !== kept.envText(env));
  if (isChanged) {
    process.stdout.write(`${diffOf({ path, before: before && withoutValues(before), after: withoutValues(after) })}\n`);
    if (envFile !== null)
      process.stdout.write(`${envFile} (for this user alone): ${Object.keys(env).join(', ') || 'no settings'}\n`);
    if (!(await mayWrite(path, yes))) return false;
    writePrivately(path, after);
    if (envFile !== null) writePrivately(envFile, kept.envText(env));
  }
  await runAll(before === null || !isChanged ? kept.install(part.name) : kept.restart(part.name));
  return true;
}

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);

/** Settings may contain tokens, so other users must not read the definition or its settings. */
function writePrivately(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Ports, address and settings of a service started in this shell; options take precedence. */
function settingsInForce(options: readonly string[]): Record<string, string> {
  const isSetting = (key: string) => /^(PORT|CONSOLE_PORT|HOST|NODE_EXTRA_CA_CERTS|Service__\w+)$/i.test(key);
  const env = Object.entries(process.env).flatMap(([key, value]) => (isSetting(key) && value ? [[key, value]] : []));
  const given = options.map((option): [string, string] => {
    const [key = '', ...value] = option.slice('--Service:'.length).split('=');
    return [`Service__${key}`, value.join('=')];
  });
  return Object.fromEntries([...env, ...given]);
}

/** A unit of an earlier release may contain tokens, which must not be shown. */
const withoutValues = (text: string): string =>
  text
    .replace(/(Environment="?\w*(?:Token|Secret|Store|Licence|Notify)=)[^\n]*/gi, '$1…')
    .replace(/(<key>\w*(?:Token|Secret|Store|Licence|Notify)<\/key>\s*<string>)[^<]*/gi, '$1…');

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
  const installed = [notifierName, name].filter((one) => existsSync(kept.definitionPath(one)));
  if (installed.length === 0) return void process.stdout.write('Not installed. Nothing to do.\n');
  for (const one of installed) {
    const path = kept.definitionPath(one);
    process.stdout.write(`${diffOf({ path, before: withoutValues(readFileSync(path, 'utf8')), after: null })}\n`);
    if (!(await mayWrite(path, yes))) return;
    await runAll(kept.uninstall(one), true);
    rmSync(path);
    const envFile = kept.envPath(one);
    if (envFile !== null) rmSync(envFile, { force: true });
  }
  await runAll(kept.afterRemoval, true);
  process.stdout.write('Uninstalled. The data was not removed; "signalbox start" serves it.\n');
}

async function mayWrite(path: string, yes: boolean): Promise<boolean> {
  if (yes || (await agreed(dirname(path)))) return true;
  process.exitCode = exitCodes.refused;
  return false;
}

/** Runs the commands in order and stops at the first failure, except when uninstalling. */
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
