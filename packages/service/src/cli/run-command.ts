import type { Command } from 'commander';
import { consoleUrlOption, createConsoleClient } from './client.ts';
import { refuseUnknownNode } from './run/known-node.ts';
import { startOwnConsole } from './run/own-console.ts';
import { reach, type Supervised, supervise } from './run/supervise.ts';
import { writeReports } from './run/write-reports.ts';
import { userFile } from './user-folder.ts';

type Options = {
  node?: string;
  tag?: string;
  suite?: string;
  url?: string | undefined;
  report: string[];
  console?: boolean;
  out: string;
};

/** `signalbox run -- npm test`: runs any command and publishes it as a run. */
export function addRun(program: Command): void {
  program
    .command('run')
    .description('run a test command, publish it as a run, and exit with its exit code')
    .argument('<command...>', 'the command, after --')
    .option('--node <plan/node>', 'the plan node that this run proves')
    .option('--tag <tag>', 'the tag of the run, if it is not for a node')
    .option('--suite <name>', "name of the suite (default: the package's name, otherwise the folder's)")
    .option(
      '--report <file>',
      'a result file that the command writes (repeatable): JUnit, TRX, CTRF, TAP, go test -json, cargo test, RSpec JSON or TeamCity; - reads its output',
      collect,
      [],
    )
    .option(
      '--console',
      'for CI: start a console while the command runs (unless SIGNALBOX_URL is set), and write reports',
    )
    .option('--out <folder>', 'with --console: where signalbox-report.html, -ctrf.json and -junit.xml go', '.')
    .option(...consoleUrlOption)
    .action(async (command: string[], options: Options) => {
      process.exitCode = options.console ? await runWithReports(command, options) : (await run(command, options)).code;
    });
}

const collect = (value: string, before: string[]) => [...before, value];

/** Starts a console if none is set or answers, and keeps the reports that a pipeline wants. */
async function runWithReports(command: readonly string[], options: Options): Promise<number> {
  const named = options.url ?? process.env.SIGNALBOX_URL?.trim();
  const isThere = named ? (await reach(createConsoleClient(named), 'any')) !== null : false;
  if (named && !isThere)
    process.stderr.write(`No run console at ${named}: the run is not published, only its reports are written.\n`);
  const own = isThere ? null : await startOwnConsole();
  try {
    const url = own?.url ?? named;
    const { code, runId, isPublished } = await run(command, { ...options, url });
    const client = createConsoleClient(url);
    if (isPublished) await writeReports(client, runId, userFile(options.out), process.env, own === null);
    return code;
  } finally {
    await own?.stop();
  }
}

async function run(command: readonly string[], options: Options): Promise<Supervised> {
  const client = createConsoleClient(options.url);
  if (options.node !== undefined) await refuseUnknownNode(client, options.node);
  const tag = options.node ?? options.tag ?? process.env.SIGNALBOX_RUN_TAG ?? null;
  return supervise(command, client, { tag, suite: options.suite, reports: options.report });
}
