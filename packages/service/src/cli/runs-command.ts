import { setTimeout } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { RunSummary } from '../kernel/run-summary.ts';
import { chooseRun } from './choose-run.ts';
import { type ConsoleClient, consoleUrlOption, createConsoleClient, exitCodes } from './client.ts';
import { progressLine, resultOf, runsText } from './runs-text.ts';
import { printAnswer } from './table.ts';

const pollMs = 500;
type Options = {
  url?: string;
  tag?: string;
  suite?: string;
  state?: RunSummary['state'];
  limit: string;
  follow?: boolean;
  json?: boolean;
};

export function addRuns(program: Command): void {
  program
    .command('runs')
    .description('list test runs, or follow one to its end (exit code 1 unless it passed)')
    .argument('[runId]', 'the run, or the start of its id (default with --follow: the newest)')
    .option('-f, --follow', 'wait until it ends, with a progress bar')
    .option(...consoleUrlOption)
    .option('--tag <tag>')
    .option('--suite <name>')
    .addOption(new Option('--state <state>').choices(['running', 'finished', 'orphaned', 'unreadable']))
    .option('--limit <count>', 'maximum number', '20')
    .option('--json', 'print JSON')
    .action(async (runId: string | undefined, options: Options) => {
      const client = createConsoleClient(options.url);
      if (options.follow) return follow(await chooseRun(client, runId, options), client);
      const runs =
        runId === undefined
          ? await list(client, options)
          : [await readRun(client, await chooseRun(client, runId, options))];
      printAnswer(options.json, runs, () => runsText(runs, Date.now()));
    });
}

const list = (client: ConsoleClient, { tag, suite, state, limit }: Options): Promise<readonly RunSummary[]> =>
  client.call('list_runs', { tag, suite, state, limit: Number(limit) });

const readRun = async (client: ConsoleClient, runId: string): Promise<RunSummary> =>
  (await client.call('get_run', { runId })).run;

/** On a terminal one line is overwritten; elsewhere each change prints a line. */
async function follow(runId: string, client: ConsoleClient): Promise<void> {
  const { stdout } = process;
  let before = '';
  for (;;) {
    const run = await readRun(client, runId);
    const line = progressLine(run, stdout.columns ?? 120);
    if (stdout.isTTY) stdout.write(`\r${line}\u001b[K`);
    else if (line !== before) stdout.write(`${line}\n`);
    before = line;
    // A console of an earlier release answers `counted: false` right after its start.
    if (run.state !== 'running' && (run.counted || run.state === 'unreadable')) {
      stdout.write(`${stdout.isTTY ? '\n' : ''}${run.state}: ${resultOf(run)}\n`);
      process.exitCode = run.green ? exitCodes.done : exitCodes.refused;
      return;
    }
    await setTimeout(pollMs);
  }
}
