import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { readConfig } from '../app/config.ts';
import { settingKeys } from '../app/settings.ts';
import { nearest } from '../kernel/text.ts';
import { platform } from '../platform/platform.ts';
import { exitCodeOf, isStartRefusal, systemRefusal } from './start-refusals.ts';
import { visible } from './table.ts';

const settingsHelp = `
Set any setting as an option (--Service:PlansPath=plans), in the environment (Service__PlansPath), or in signalbox.json.
Set ports and address in the environment only: PORT=8026,8025, CONSOLE_PORT, HOST.`;

type Stoppable = { stop(): Promise<void> };
type Started = { running: Stoppable; banner: string };

/** `signalbox start` and `signalbox console`: both accept configuration keys as options and ignore --url and --console-url. */
export function addStart(program: Command): void {
  program
    .command('start', { isDefault: true })
    .description('serve coordination (5526) and the run console (5525)')
    .addHelpText('after', settingsHelp)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() =>
      run(false, async (config) => {
        const { startService } = await import('../app/service.ts');
        const { bannerOf } = await import('./banner.ts');
        const running = await startService(config);
        return { running, banner: bannerOf(running) };
      }),
    );
  program
    .command('console')
    .description('serve only the run console (5525), without MCP')
    .addHelpText('after', settingsHelp)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() =>
      run(true, async (config) => {
        const { startConsole } = await import('../app/standalone.ts');
        const running = await startConsole(config);
        const banner = `Signalbox run console\n  run console   ${running.console.url}\n  data          ${config.dataPath}\n`;
        return { running, banner };
      }),
    );
}

/** Warns about options that have no effect because they are neither a setting nor an address. */
export function strayWords(args: readonly string[], word: string): string[] {
  return args.flatMap((arg, at) => {
    const isSetting = /^--(service:|port\b|console-port\b|host\b|urls\b)/i.test(arg);
    const isValue = !arg.startsWith('-') && /^--[^=]+$/.test(args[at - 1] ?? '');
    if (isSetting || isValue || (at === 0 && arg === word)) return [];
    // Never prints its value, which may be a secret.
    const [name = arg] = arg.split('=');
    const likely = nearest(name.replace(/^-+/, ''), settingKeys);
    return [`${visible(name)} has no effect${likely ? `; did you mean --Service:${likely}?` : '.'}`];
  });
}

async function run(
  standalone: boolean,
  start: (config: ReturnType<typeof readConfig>['config']) => Promise<Started>,
): Promise<void> {
  if (platform.unsupported !== null) {
    process.stderr.write(`${platform.unsupported}\n`);
    process.exitCode = 1;
    return;
  }
  try {
    const inputs = { env: process.env, args: process.argv.slice(2), cwd: process.cwd() };
    const { config, warnings } = readConfig(inputs, standalone);
    warnings.push(...strayWords(inputs.args, standalone ? 'console' : 'start'));
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    growYoungSpace(false);
    const { running, banner } = await start(config);
    setTimeout(growYoungSpace, settledMs, true).unref();
    stopOnSignal(running);
    process.stdout.write(banner);
  } catch (fault) {
    const text = isStartRefusal(fault) ? fault.message : systemRefusal(fault);
    if (text === null) throw fault;
    process.stderr.write(`${text}\n`);
    process.exitCode = exitCodeOf(fault, process.env);
  }
}

/** After this time the modules that are loaded after the start are loaded too. */
const settledMs = 3_000;

/**
 * Whether V8 may grow the space for young objects. Almost everything loaded at start-up survives, so V8 would double
 * that space repeatedly, which costs an idle service 20 MB.
 */
const growYoungSpace = (may: boolean): void => setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);

/** npm forwards a Ctrl-C that the terminal has already sent to every process. */
const echoMs = 2_000;

/** Finishes running work, then exits; a second signal exits immediately. */
function stopOnSignal(running: Stoppable): void {
  let since: number | undefined;
  const stop = async () => {
    if (since !== undefined && performance.now() - since > echoMs) process.exit(1);
    if (since !== undefined) return;
    since = performance.now();
    setTimeout(() => process.exit(1), 9_000).unref();
    await running.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
