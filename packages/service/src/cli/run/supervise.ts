import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentIn, traceparentOf } from '../../../../publisher/src/trace.ts';
import { agentSession } from '../agent-session.ts';
import type { ConsoleClient } from '../client.ts';
import { tokenFor } from '../credentials.ts';
import { amountOf } from '../figures.ts';
import { figuresOf } from '../import/imported-events.ts';
import { type ImportedTest, importedTest } from '../import/imported-run.ts';
import { PrintedResults } from '../import/printed-results.ts';
import type { StreamNews } from '../import/result-stream.ts';
import type { RunEvent } from '../import/scenario-events.ts';
import { userFolder } from '../user-folder.ts';
import { askForTasks, cachedTests, tasksSince } from './cached-tasks.ts';
import { GrownFiles } from './grown-files.ts';
import { type KnownRunner, knownRunner } from './known-runner.ts';
import { Places } from './places.ts';
import type { RejectedEvents } from './rejected-events.ts';
import { findReports, readReports } from './report-files.ts';
import { type Hearing, runChild } from './run-child.ts';
import { type Begun, beginRun, post, postedBy, soFar, timeoutMs, unknownSoFar } from './run-console.ts';
import { readRunOrigin } from './run-origin.ts';
import { type ShardOfRun, shardIn } from './shard.ts';
import { type ChildExit, exitCodeOf, type HeldSignals, holdSignals } from './signals.ts';
import { ToldTests } from './told-tests.ts';
import { unsentEvents, unsentVariable } from './unsent-events.ts';
import {
  participantGone,
  participantStarted,
  runFinished,
  runStarted,
  type SupervisedRun,
  verdictOf,
} from './watched-run.ts';
import { withoutSecrets } from './without-secrets.ts';

export type SuperviseOptions = {
  tag: string | null;
  suite: string | undefined;
  reports: readonly string[];
  /** Starts a console for the reports alone, if the given one does not accept the run. */
  instead?: (() => Promise<ConsoleClient>) | undefined;
};
/** `client` calls the console that has the run. */
export type Supervised = { code: number; runId: string; isPublished: boolean; client: ConsoleClient };

const beatMs = 10_000;
const growMs = 500;
const lagMs = 50;
const lagTimes = 20;

/** Runs a command and publishes it as a run, or as one part of a shared run. */
export async function supervise(
  command: readonly string[],
  client: ConsoleClient,
  options: SuperviseOptions,
): Promise<Supervised> {
  const signals = holdSignals();
  try {
    return await superviseHeld(command, client, options, signals);
  } finally {
    signals.release();
  }
}

async function superviseHeld(
  command: readonly string[],
  given: ConsoleClient,
  options: SuperviseOptions,
  signals: HeldSignals,
): Promise<Supervised> {
  const folder = userFolder(process.env, process.cwd());
  const shard = shardIn(process.env);
  const watched = {
    runId: shard?.runId ?? randomUUID(),
    ...(await readRunOrigin(folder, options.suite)),
    tag: options.tag,
    session: agentSession(process.env),
    startedAt: new Date().toISOString(),
  };
  const { runId } = watched;
  const { client, rejected, isAccepted } = await beginSomewhere(given, watched, shard, options);
  const results = mkdtempSync(join(tmpdir(), 'signalbox-results-'));
  const unsent = join(results, 'unsent');
  mkdirSync(unsent);
  const { isPrinted, ...runner } = isAccepted ? runnerOf(command, options.reports, results) : unread(command);
  const first = shard
    ? [runStarted(watched), participantStarted(runId, partOf(runner, shard), shard.count, watched.startedAt)]
    : [];
  const told = new ToldTests(runId, first, new Places(watched.repository, folder), async (events) =>
    postedBy(await post(client, events, rejected)),
  );
  const beat = setInterval(() => {
    post(client, [JSON.stringify({ type: 'run_heartbeat', runId, at: new Date().toISOString() })]);
  }, beatMs);
  try {
    const began = Date.now();
    const asked = askForTasks(folder, process.env);
    const token = isAccepted ? await runToken(client, runId) : null;
    const env = {
      ...(isAccepted && {
        ...environmentFor(watched, client, shard),
        [unsentVariable]: unsent,
        ...runner.env,
        ...asked,
      }),
      ...tokenVariables(token),
    };
    const exit = await hear(runner, folder, env, told, signals);
    clearInterval(beat);
    if (isAccepted) {
      told.pass(unsentEvents(unsent, runId));
      const cached = cachedTests(folder, tasksSince(folder, began, asked.TURBO_RUN_SUMMARY !== undefined), runId);
      told.tell(cached.map((test) => ({ ended: test })));
      const ended = { cached: cached.length, command, folder, began, exit, ...options, isPrinted, rejected };
      await (shard ? finishShard(client, shard, runner, told, ended) : finishRun(client, runId, runner, told, ended));
      if (rejected.why !== null) print(rejected.line);
    }
    return { code: exitCodeOf(exit), runId, isPublished: isAccepted, client };
  } finally {
    clearInterval(beat);
    rmSync(results, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Starts the run on the given console or, if that rejects it, on one that is started only for its reports. */
async function beginSomewhere(
  given: ConsoleClient,
  watched: SupervisedRun,
  shard: ShardOfRun | null,
  { instead }: SuperviseOptions,
): Promise<Begun> {
  const begun = await beginRun(given, watched, shard);
  if (begun.isAccepted) return begun;
  if (!instead) {
    print(`${begun.refusal}: the command runs without publishing.`);
    return begun;
  }
  const later = '"signalbox import" publishes signalbox-ctrf.json later.';
  print(`${begun.refusal}: the run is not published, only its reports are written. ${later}`);
  return beginRun(await instead(), watched, shard);
}

type Reading = KnownRunner & { isPrinted: boolean };

/** Named reports are the results; without any, a known runner is asked to report. */
function runnerOf(command: readonly string[], reports: readonly string[], folder: string): Reading {
  if (reports.length === 0) return { ...knownRunner(command, folder, process.env), isPrinted: false };
  const isPrinted = reports.includes('-');
  return { ...unread(command), printed: isPrinted ? new PrintedResults() : null, readsErrors: isPrinted, isPrinted };
}

const unread = (command: readonly string[]): Reading => ({
  name: basename(command[0] ?? 'command'),
  command,
  env: {},
  printed: null,
  readsErrors: false,
  lags: false,
  feeds: [],
  reports: [],
  explains: null,
  hint: null,
  isPrinted: false,
});

const partOf = ({ name }: KnownRunner, { index, count }: ShardOfRun): string => `${name} ${index}/${count}`;

/** Publishers inside the command join this run. Unless the run is shared, this process publishes its start and end. */
const environmentFor = (
  { runId, tag }: { runId: string; tag: string | null },
  { url }: ConsoleClient,
  shard: ShardOfRun | null,
) => ({
  SIGNALBOX_URL: url,
  TRACEPARENT: traceparentOf(runId, parentIn(process.env)),
  ...(shard === null && { SIGNALBOX_RUN_ID: runId, SIGNALBOX_RUN_OWNER: 'signalbox' }),
  ...(tag === null ? {} : { SIGNALBOX_RUN_TAG: tag }),
});

/** Tests are untrusted code: they publish to this run with a token that can do nothing else. */
async function runToken(client: ConsoleClient, runId: string): Promise<string | null> {
  if ((await tokenFor(client.url)) === undefined) return null;
  try {
    return (await client.call('run_token', { runId }, { signal: AbortSignal.timeout(timeoutMs) })).token;
  } catch {
    print('The run console issues no tokens for single runs, so the tests run without one.');
    return null;
  }
}

/** Undefined removes a variable. */
const tokenVariables = (token: string | null): Record<string, string | undefined> => ({
  SIGNALBOX_TOKEN: token ?? undefined,
  Service__Token: undefined,
});

/** Runs the command and publishes its tests as they finish. A failure waits for the report with its details. */
async function hear(
  runner: KnownRunner,
  folder: string,
  env: Record<string, string | undefined>,
  told: ToldTests,
  signals: HeldSignals,
): Promise<ChildExit> {
  const grown = new GrownFiles(runner.feeds);
  const aside: string[] = [];
  const held: ImportedTest[] = [];
  const tell = (news: readonly StreamNews[]) => {
    const isHeld = (one: StreamNews) => runner.explains !== null && 'ended' in one && one.ended.outcome === 'Failed';
    for (const one of news) if ('ended' in one && isHeld(one)) held.push(one.ended);
    told.tell(news.filter((one) => !isHeld(one)));
  };
  const growing = setInterval(() => tell(grown.read()), growMs);
  const hearing: Hearing = {
    stdout: runner.printed !== null,
    stderr: runner.readsErrors,
    line: (text, from) => {
      if (from === 'stderr') aside.push(text);
      if (runner.printed) tell(runner.printed.line(text, from));
    },
  };
  const exit = await runChild(runner.command, folder, env, hearing, signals);
  clearInterval(growing);
  for (let left = runner.lags ? lagTimes : 0; left > 0 && !grown.isComplete; left -= 1) {
    tell(grown.read());
    if (!grown.isComplete) await sleep(lagMs);
  }
  tell([...grown.end(aside), ...(runner.printed?.end() ?? [])]);
  told.tell(resolved(held, runner.explains).map((test) => ({ ended: test })));
  return exit;
}

function resolved(held: readonly ImportedTest[], report: string | null): ImportedTest[] {
  if (held.length === 0 || report === null) return [...held];
  const whole = readReports([report], '', true).read.flatMap(({ tests }) => tests);
  return held.map((test) => whole.find(({ feature, name }) => feature === test.feature && name === test.name) ?? test);
}

type Ended = {
  /** How many test tasks came from a cache. */
  cached: number;
  command: readonly string[];
  folder: string;
  began: number;
  exit: ChildExit;
  reports: readonly string[];
  isPrinted: boolean;
  rejected: RejectedEvents;
};

async function finishRun(client: ConsoleClient, runId: string, runner: KnownRunner, told: ToldTests, ended: Ended) {
  await told.drain();
  const ask = () => told.untilAnswered(() => soFar(client, runId));
  let before = await ask();
  // Without an answer, a command that reported no tests is treated as one without tests.
  if ((before?.run.scenarios ?? told.tests.length) === ended.cached) {
    told.tell(reportedTests(runner, ended).map((test) => ({ ended: test })));
    await told.drain();
    before = await ask();
  }
  const { run: counts, participants } = before ?? unknownSoFar;
  const at = new Date().toISOString();
  const { code, signal } = ended.exit;
  // Participants that did not report their end have ended with the command.
  const gone = participants.filter(({ finishedAt }) => finishedAt === null);
  const ends = gone.map(({ participant }) => participantGone(runId, participant, signal ?? 'unknown', at));
  const verdict = ended.rejected.why === null ? verdictOf(code, counts) : 2;
  told.send([...ends, runFinished(runId, verdict, counts, signal, at)]);
  await told.drain();
}

/** A publisher inside the command reports its own part. */
async function finishShard(
  client: ConsoleClient,
  shard: ShardOfRun,
  runner: KnownRunner,
  told: ToldTests,
  ended: Ended,
) {
  await told.drain();
  if (!told.hasBegun) {
    const { participants } = (await told.untilAnswered(() => soFar(client, shard.runId))) ?? unknownSoFar;
    const ours = participants.filter(({ participant }) => participant.endsWith(` ${shard.index}/${shard.count}`));
    if (ours.some(({ finishedAt }) => finishedAt !== null)) return;
    const at = new Date().toISOString();
    const gone = ours.map(({ participant }) =>
      participantGone(shard.runId, participant, ended.exit.signal ?? 'unknown', at),
    );
    if (gone.length > 0)
      await post(
        client,
        gone.map((event) => JSON.stringify(event)),
      );
    if (gone.length > 0) return;
    told.tell(reportedTests(runner, ended).map((test) => ({ ended: test })));
  }
  const { code, signal } = ended.exit;
  const figures = figuresOf(told.tests);
  const exitCode = code === null || ended.rejected.why !== null ? 2 : figures.exitCode || (code === 0 ? 0 : 1);
  const participant = partOf(runner, shard);
  const end: RunEvent = {
    type: 'participant_finished',
    runId: shard.runId,
    participant,
    ...figures,
    exitCode,
    interrupted: signal,
    at: new Date().toISOString(),
  };
  told.send([end]);
  await told.drain();
}

/** The results in the command's reports; without any, the command itself is the only test. */
function reportedTests({ reports, printed, hint }: KnownRunner, ended: Ended): ImportedTest[] {
  const { command, folder, began, exit, isPrinted } = ended;
  const named = ended.reports.filter((file) => file !== '-').map((file) => resolve(folder, file));
  const asked = reports.flatMap((path) => findReports(path, began).files.concat(findReportFile(path)));
  const found = named.length > 0 || asked.length > 0 ? { files: named, isPartial: false } : findReports(folder, began);
  const { read, leftOut } = readReports([...new Set([...asked, ...found.files])], folder, named.length > 0);
  const tests = read.flatMap((report) => report.tests);
  if (isPrinted && printed instanceof PrintedResults && printed.unread)
    print(`The output is not read: ${printed.unread}.`);
  for (const { file, why } of leftOut) print(`${file} is left out: ${why}.`);
  if (found.isPartial) print('Not all folders were searched for reports: name them with --report.');
  const ownFiles = read.filter(({ file }) => !file.startsWith('..'));
  if (ownFiles.length > 0)
    print(`Read ${amountOf(tests.length, 'test')} from ${listOf(ownFiles.map(({ file }) => file))}.`);
  if (read.length > 0 && tests.length === 0) print('The report contains no tests, so the run is not green.');
  if (read.length > 0 || ended.cached > 0) return tests;
  const said = hint ?? turboHint(folder);
  if (said !== null) print(said);
  return [commandAsTest(command, exit, Date.now() - began)];
}

/** turbo hides variables from its tasks, so a publisher there finds no console. */
function turboHint(folder: string): string | null {
  const file = join(folder, 'turbo.json');
  if (!existsSync(file) || readFileSync(file, 'utf8').includes('SIGNALBOX')) return null;
  return 'turbo hides SIGNALBOX_* from its tasks: "signalbox connect --tests" adds them to globalPassThroughEnv in turbo.json.';
}

const findReportFile = (path: string): string[] => (/\.(?:xml|json|trx|tap)$/.test(path) ? [path] : []);

const listOf = (files: readonly string[]): string =>
  files.length <= 5 ? files.join(', ') : `${files.slice(0, 5).join(', ')} and ${files.length - 5} more files`;

function commandAsTest(command: readonly string[], { code, signal }: ChildExit, durationMs: number): ImportedTest {
  const outcome = code === 0 ? 'CleanPass' : code === null ? 'Aborted' : 'Failed';
  const message = code === 0 ? null : `The command ended with ${signal ?? `exit code ${code}`}.`;
  const { words, leftOut } = withoutSecrets([basename(command[0] ?? ''), ...command.slice(1)]);
  if (leftOut.length > 0) print(`Removed from the published command: ${leftOut.join(', ')}.`);
  return importedTest({ feature: 'command', name: words.join(' '), outcome, message, durationMs });
}

const print = (line: string): void => void process.stderr.write(`${line}\n`);
