import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { platform } from '../platform/platform.ts';
import { agentSession } from './agent-session.ts';
import { batchesOf } from './batches.ts';
import { CallFailed, type ConsoleClient, consoleUrlOption, createConsoleClient } from './client.ts';
import { refuseUnknownNode } from './run/known-node.ts';
import { startOwnConsole } from './run/own-console.ts';
import { PrintedReport, readsPrinted } from './run/printed-report.ts';
import { findReports, readReport, readReportText } from './run/report-files.ts';
import { type ReportedTest, reportedTest } from './run/reported-test.ts';
import { readRunOrigin } from './run/run-origin.ts';
import { shardedRunId } from './run/sharded-run.ts';
import { type ChildExit, exitCodeOf, forwardSignals } from './run/signals.ts';
import {
  noCounts,
  participantGone,
  type RunCounts,
  runFinished,
  runStarted,
  scenariosOf,
  verdictOf,
} from './run/watched-run.ts';
import { withoutSecrets } from './run/without-secrets.ts';
import { writeReports } from './run/write-reports.ts';
import { userFile, userFolder } from './user-folder.ts';

type Options = {
  node?: string;
  tag?: string;
  suite?: string;
  url?: string | undefined;
  report: string[];
  console?: boolean;
  out: string;
};

const beatMs = 10_000;

/** `signalbox run -- npm test`: any command as a run of the console. */
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
      'a JUnit, TRX, CTRF, TAP or go test -json file that the command writes (repeatable); - reads its output',
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

/** Brings a console where none is named, and keeps what a pipeline wants to keep. */
async function runWithReports(command: readonly string[], options: Options): Promise<number> {
  const named = options.url ?? process.env.SIGNALBOX_URL?.trim();
  const own = named ? null : await startOwnConsole();
  try {
    const { code, runId, isPublished } = await run(command, { ...options, url: own?.url ?? named });
    const client = createConsoleClient(own?.url ?? named);
    if (isPublished) await writeReports(client, runId, userFile(options.out), process.env);
    return code;
  } finally {
    await own?.stop();
  }
}

type Ran = { code: number; runId: string; isPublished: boolean };

async function run(command: readonly string[], options: Options): Promise<Ran> {
  const folder = userFolder(process.env, process.cwd());
  const client = createConsoleClient(options.url);
  if (options.node !== undefined) await refuseUnknownNode(client, options.node);
  const watched = {
    runId: shardedRunId(process.env) ?? randomUUID(),
    ...readRunOrigin(folder, options.suite),
    tag: options.node ?? options.tag ?? process.env.SIGNALBOX_RUN_TAG ?? null,
    session: agentSession(process.env),
    startedAt: new Date().toISOString(),
  };
  if (shardedRunId(process.env) !== null) return runShard(command, folder, client, watched.runId);
  const status = await post(client, [JSON.stringify(runStarted(watched))]);
  const isAccepted = status === acceptedStatus;
  if (!isAccepted) process.stderr.write(`${describeNoConsole(client, status)}: the command runs without publishing.\n`);
  const beat = setInterval(() => {
    post(client, [JSON.stringify({ type: 'run_heartbeat', runId: watched.runId, at: new Date().toISOString() })]);
  }, beatMs);
  const began = Date.now();
  const printed = isAccepted && readsPrinted(command, options.report) ? new PrintedReport() : null;
  const ended = await runChild(command, folder, isAccepted ? environmentFor(watched, client) : {}, printed);
  clearInterval(beat);
  const reports = options.report.filter((file) => file !== '-');
  if (isAccepted) await publishResults(client, watched.runId, { command, folder, began, ended, reports, printed });
  return { code: exitCodeOf(ended), runId: watched.runId, isPublished: isAccepted };
}

/** A part of a run that others have parts in too: its publishers begin and end their own. */
async function runShard(
  command: readonly string[],
  folder: string,
  { url }: ConsoleClient,
  runId: string,
): Promise<Ran> {
  const ended = await runChild(command, folder, { SIGNALBOX_URL: url }, null);
  return { code: exitCodeOf(ended), runId, isPublished: true };
}

/** The publishers of the command join this run and leave its beginning and end to us. */
const environmentFor = ({ runId, tag }: { runId: string; tag: string | null }, { url }: ConsoleClient) => ({
  SIGNALBOX_URL: url,
  SIGNALBOX_RUN_ID: runId,
  SIGNALBOX_RUN_OWNER: 'signalbox',
  ...(tag === null ? {} : { SIGNALBOX_RUN_TAG: tag }),
});

function runChild(
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
  printed: PrintedReport | null,
): Promise<ChildExit> {
  const { program, args, verbatim: windowsVerbatimArguments } = platform.startable(command);
  const stdout = printed ? 'pipe' : 'inherit';
  const stdio = ['inherit', stdout, 'inherit'] as const;
  const child = spawn(program, args, {
    cwd,
    stdio: [...stdio],
    windowsVerbatimArguments,
    env: { ...process.env, ...env },
  });
  if (child.stdout) printed?.follow(child.stdout, process.stdout);
  const stop = forwardSignals(child);
  return new Promise((done) => {
    child.on('error', (fault) => {
      process.stderr.write(`${command[0]} cannot be started: ${fault.message}\n`);
      stop();
      done({ code: 127, signal: null });
    });
    child.on('close', (code, signal) => {
      stop();
      done({ code, signal });
    });
  });
}

type FinishedCommand = {
  command: readonly string[];
  folder: string;
  began: number;
  ended: ChildExit;
  reports: readonly string[];
  printed: PrintedReport | null;
};

async function publishResults(client: ConsoleClient, runId: string, watched: FinishedCommand): Promise<void> {
  const at = new Date().toISOString();
  const { code, signal } = watched.ended;
  let { run: counts, participants } = await soFar(client, runId);
  if (counts.scenarios === 0) {
    const events = scenariosOf(runId, reportedTests(watched), at).map((event) => JSON.stringify(event));
    for (const batch of batchesOf(events)) await post(client, batch);
    ({ run: counts, participants } = await soFar(client, runId));
  }
  // Whoever has not said that it is through went with the command.
  const gone = participants.filter(({ finishedAt }) => finishedAt === null);
  const ends = gone.map(({ participant }) => participantGone(runId, participant, signal ?? 'unknown', at));
  const end = runFinished(runId, verdictOf(code, counts), counts, signal, at);
  await post(
    client,
    [...ends, end].map((event) => JSON.stringify(event)),
  );
}

/** What the command's reports say; without any the command itself is the one thing that passed or failed. */
function reportedTests({ command, folder, began, ended, reports, printed }: FinishedCommand): ReportedTest[] {
  const said = printed && readReportText(printed.text());
  if (said && said.length > 0) return said;
  const named = reports.map((file) => resolve(folder, file));
  const files = named.length > 0 ? named : findReports(folder, began);
  const tests = files.flatMap((file) => readReport(file) ?? unreadable(file, folder, named));
  if (tests.length > 0) return tests;
  const state = ended.code === 0 ? 'passed' : ended.code === null ? 'other' : 'failed';
  const message = state === 'passed' ? null : `The command ended with ${ended.signal ?? `exit code ${ended.code}`}.`;
  const { words, leftOut } = withoutSecrets([basename(command[0] ?? ''), ...command.slice(1)]);
  if (leftOut.length > 0) process.stderr.write(`Removed from the published command: ${leftOut.join(', ')}.\n`);
  const scenario = words.join(' ');
  return [reportedTest({ feature: 'command', scenario, state, message, durationMs: Date.now() - began })];
}

function unreadable(file: string, folder: string, named: readonly string[]): ReportedTest[] {
  if (named.includes(file)) {
    process.stderr.write(
      `${relative(folder, file)} is not a valid JUnit, TRX, CTRF, TAP or go test -json report and is ignored.\n`,
    );
  }
  return [];
}

type SoFar = { run: RunCounts; participants: readonly { participant: string; finishedAt: string | null }[] };

async function soFar(client: ConsoleClient, runId: string): Promise<SoFar> {
  try {
    return await client.call('get_run', { runId }, { signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    return { run: noCounts, participants: [] };
  }
}

/** A console that is away, or hangs, never stands in the command's way for longer. */
const timeoutMs = 5_000;
const acceptedStatus = 202;

/** The status that the console answered with, if it did. */
async function post(client: ConsoleClient, events: readonly string[]): Promise<number | null> {
  try {
    const batch = `{"events":[${events.join(',')}]}`;
    await client.call('ingest', { batch }, { signal: AbortSignal.timeout(timeoutMs) });
    return acceptedStatus;
  } catch (fault) {
    return fault instanceof CallFailed ? (fault.status ?? null) : null;
  }
}

function describeNoConsole({ url }: ConsoleClient, status: number | null): string {
  if (status === null) return `No run console at ${url}`;
  const why = status === 401 ? 'requires a token (set SIGNALBOX_TOKEN)' : `answered ${status}`;
  return `The run console at ${url} ${why}`;
}
