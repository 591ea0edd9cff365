import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from '../kernel/error-code.ts';
import { batchesOf, runIdIn } from './batches.ts';
import { CallFailed, type ConsoleClient, consoleUrlOption, createConsoleClient, exitCodes } from './client.ts';
import { amountOf } from './figures.ts';
import { decodeText } from './import/decode-text.ts';
import { eventsOf, type ImportDefaults, participantOf } from './import/imported-events.ts';
import { type ImportedRun, mergeRuns } from './import/imported-run.ts';
import { knownFormats, readResults, type TestResults } from './import/read-results.ts';
import { repositoryIdAt } from './run/run-origin.ts';
import { shardOf } from './run/shard.ts';
import { userFile } from './user-folder.ts';

type Options = {
  url?: string;
  tag?: string;
  branch?: string;
  suite?: string;
  repository?: string;
  runId?: string;
  shard?: string;
};

/** Turns test results of any language into runs, through the normal ingest. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description(`import test result files as runs: ${knownFormats}, or NDJSON of monitor events`)
    .argument('<file...>')
    .option(...consoleUrlOption)
    .option('--tag <tag>', 'tag of the runs, such as <plan>/<node>')
    .option('--branch <branch>')
    .option('--suite <name>', 'name of the suite (default: the name in the file); combines all files into one run')
    .option('--repository <path>', 'root of the repository (default: the working directory)')
    .option(
      '--run-id <id>',
      'id of the run (default: derived from the content of each file); combines all files into one run',
    )
    .option('--shard <i/n>', 'with --run-id: these files are one of several parts; the run ends with the last part')
    .action(async (paths: string[], options: Options) => {
      refuseShardAlone(options);
      const client = createConsoleClient(options.url);
      const isTogether = options.runId !== undefined || options.suite !== undefined;
      if (paths.length > 1 && isTogether) return importTogether(paths, options, client);
      if (paths.length > 1 && options.tag !== undefined) printNote(manyOfOneTag(paths.length, options.tag));
      await importEach(paths, options, client);
    });
}

function refuseShardAlone({ shard, runId }: Options): void {
  if (shard === undefined) return;
  if (shardOf(shard) === null)
    throw new CallFailed(`--shard must be a part such as 2/3, not ${shard}.`, exitCodes.usage);
  if (runId === undefined)
    throw new CallFailed('--shard needs --run-id: the parts of one run share its id.', exitCodes.usage);
}

type ResultFile = { path: string; content: Buffer; writtenAtMs: number; read: TestResults };

/** Each file is a separate run: a refused one does not stop the others. */
async function importEach(paths: readonly string[], options: Options, client: ConsoleClient): Promise<void> {
  const refused: CallFailed[] = [];
  for (const path of paths) {
    try {
      await importAlone(await openFile(path), options, client);
    } catch (fault) {
      if (!(fault instanceof CallFailed) || fault.exitCode === exitCodes.unreachable || paths.length === 1) throw fault;
      refused.push(fault);
    }
  }
  const [first] = refused;
  if (first) throw new CallFailed(refused.map(({ message }) => message).join('\n'), first.exitCode);
}

async function openFile(path: string): Promise<ResultFile> {
  const unreadable = (error: NodeJS.ErrnoException) => {
    throw new CallFailed(`${path} cannot be read (${error.code}). Check its name and permissions.`, exitCodes.usage);
  };
  const content = await readFile(userFile(path)).catch(unreadable);
  const { mtimeMs: writtenAtMs } = await stat(userFile(path)).catch(unreadable);
  try {
    return { path, content, writtenAtMs, read: readResults(decodeText(content)) };
  } catch (fault) {
    throw new CallFailed(`${path}: ${errorMessage(fault)}`, exitCodes.refused);
  }
}

async function importAlone({ path, content, writtenAtMs, read }: ResultFile, options: Options, client: ConsoleClient) {
  if (read.format === 'ndjson') return importEvents(path, read.events, options, client);
  const about = aboutOf(options, { path, writtenAtMs, runId: contentId([content]) });
  await importRun(path, read.format, read.run, about, options, client);
}

/** All files are read before anything is sent, so that a broken one does not leave half a run. */
async function importTogether(paths: readonly string[], options: Options, client: ConsoleClient) {
  const files = await Promise.all(paths.map(openFile));
  const runs: ImportedRun[] = [];
  for (const { path, read } of files) {
    if (read.format === 'ndjson') await importEvents(path, read.events, options, client);
    else runs.push(read.run);
  }
  if (runs.length === 0) return;
  const writtenAtMs = Math.max(...files.map((file) => file.writtenAtMs));
  const runId = contentId(files.map(({ content }) => content));
  const defaults = aboutOf(options, { path: paths[0] ?? '', writtenAtMs, runId });
  await importRun(`${runs.length} files`, 'together', mergeRuns(runs), defaults, options, client);
}

async function importRun(
  from: string,
  format: string,
  run: ImportedRun,
  defaults: ImportDefaults,
  options: Options,
  client: ConsoleClient,
) {
  const named = options.suite === undefined ? run : { ...run, suite: options.suite };
  const events = eventsOf(named, defaults).map((event) => JSON.stringify(event));
  const before = await runThere(client, defaults);
  if (before === 'imported') printNote(`${from}: already imported as run ${defaults.runId}; nothing has changed.`);
  else await sendWhole(from, events, defaults, before === 'begun', client);
  printLine(`${from}: ${format}, ${events.length} events, run ${defaults.runId}`);
}

/** Looks the run up on the console. If it, or this part of it, has already ended, the import is refused before anything changes. */
async function runThere(client: ConsoleClient, { runId, shard, isContentId }: ImportDefaults) {
  try {
    const { run, participants } = await client.call('get_run', { runId });
    const part = shard ? participants.find(({ participant }) => participant === participantOf(shard)) : undefined;
    if (run.state === 'running' && !part) return 'begun';
    if (isContentId) return run.state === 'running' ? 'begun' : 'imported';
    const said = part ? `already has the part ${shard?.index}/${shard?.count}` : 'has ended';
    const next = shard
      ? 'Import it under another --run-id.'
      : 'Use another --run-id, or --shard for a run of several parts.';
    throw new CallFailed(`Run ${runId} ${said}, so nothing was imported. ${next}`, exitCodes.refused);
  } catch (fault) {
    if (fault instanceof CallFailed && (fault.status === 404 || fault.status === 403)) return 'new';
    throw fault;
  }
}

/** A partly sent run is removed again if this command began it. */
async function sendWhole(
  from: string,
  events: readonly string[],
  { runId }: ImportDefaults,
  wasThere: boolean,
  client: ConsoleClient,
): Promise<void> {
  try {
    await send(from, events, client);
  } catch (fault) {
    if (!wasThere) await client.call('eject_run', { runId }).catch(() => undefined);
    throw fault;
  }
}

/** NDJSON events name their own run and suite. */
async function importEvents(path: string, events: readonly string[], options: Options, client: ConsoleClient) {
  const names = ['tag', 'branch', 'suite', 'repository', 'runId', 'shard'] as const;
  const unused = names.filter((name) => options[name]);
  if (unused.length > 0)
    printNote(`${path}: these events name their own run; ignored options: ${unused.map(flagOf).join(', ')}`);
  await send(path, events, client);
  const runIds = new Set(events.map((event) => runIdIn(event)));
  printLine(`${path}: ndjson, ${events.length} events, run ${[...runIds].join(', ')}`);
}

const flagOf = (name: string): string => (name === 'runId' ? '--run-id' : `--${name}`);

const manyOfOneTag = (count: number, tag: string): string =>
  `${count} files become ${count} runs with the tag ${tag}, and only the newest counts as its proof. --run-id combines them into one run.`;

function aboutOf(options: Options, file: { path: string; writtenAtMs: number; runId: string }): ImportDefaults {
  const repository = userFile(options.repository ?? '.');
  return {
    runId: options.runId?.toLowerCase() ?? file.runId,
    isContentId: options.runId === undefined,
    suite: options.suite ?? basename(file.path).replace(/\.[^.]*$/, ''),
    repository,
    repositoryId: repositoryIdAt(repository),
    branch: options.branch ?? null,
    tag: options.tag ?? null,
    writtenAtMs: file.writtenAtMs,
    shard: shardOf(options.shard),
  };
}

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const printNote = (line: string): void => void process.stderr.write(`${line}\n`);

async function send(from: string, events: readonly string[], client: ConsoleClient): Promise<void> {
  let sent = 0;
  for (const batch of batchesOf(events)) {
    const { rejected } = await client.call('ingest', { batch: `{"events":[${batch.join(',')}]}` });
    const [first] = rejected;
    if (first) {
      const said = `${amountOf(rejected.length, 'event')} rejected; the first is event ${sent + first.index + 1}: ${first.message}`;
      throw new CallFailed(`${from}: ${said}`, exitCodes.refused);
    }
    sent += batch.length;
  }
}

/** The same files give the same run id. */
function contentId(contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  const hex = hash.digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
