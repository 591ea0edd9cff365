import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from '../kernel/error-code.ts';
import { batchesOf } from './batches.ts';
import { CallFailed, type ConsoleClient, consoleUrlOption, createConsoleClient, exitCodes } from './client.ts';
import { decodeText } from './import/decode-text.ts';
import { eventsOf, type ImportDefaults, type ImportedRun, mergeRuns } from './import/imported-run.ts';
import { readResults, type TestResults } from './import/read-results.ts';
import { runIdIn } from './run-id-in.ts';
import { userFile } from './user-folder.ts';

type Options = { url?: string; tag?: string; branch?: string; suite?: string; repository?: string; runId?: string };

/** Any language's results become runs, by the way every run comes in. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('import test result files as runs: JUnit XML, TRX, CTRF, go test -json, or NDJSON of monitor events')
    .argument('<file...>')
    .option(...consoleUrlOption)
    .option('--tag <tag>', 'tag of the runs, such as <plan>/<node>')
    .option('--branch <branch>')
    .option('--suite <name>', 'name of the suite, if the file has none')
    .option('--repository <path>', 'root of the repository (default: the working directory)')
    .option(
      '--run-id <id>',
      'id of the run (default: derived from the content of each file); combines all files into one run',
    )
    .action(async (paths: string[], options: Options) => {
      const client = createConsoleClient(options.url);
      if (paths.length > 1 && options.runId !== undefined) return importTogether(paths, options, client);
      if (paths.length > 1 && options.tag !== undefined) printNote(manyOfOneTag(paths.length, options.tag));
      for (const path of paths) await importAlone(await openFile(path), options, client);
    });
}

type ResultFile = { path: string; content: Buffer; writtenAtMs: number; read: TestResults };

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
  await importRun(
    path,
    read.format,
    read.run,
    aboutOf(options, { path, writtenAtMs, runId: contentId(content) }),
    client,
  );
}

/** All are read before anything is sent: one that is broken must not leave half a run. */
async function importTogether(paths: readonly string[], options: Options, client: ConsoleClient) {
  const files = await Promise.all(paths.map(openFile));
  const runs: ImportedRun[] = [];
  for (const { path, read } of files) {
    if (read.format === 'ndjson') await importEvents(path, read.events, options, client);
    else runs.push(read.run);
  }
  if (runs.length === 0) return;
  const writtenAtMs = Math.max(...files.map((file) => file.writtenAtMs));
  const defaults = aboutOf(options, { path: paths[0] ?? '', writtenAtMs, runId: '' });
  await importRun(`${runs.length} files`, 'together', mergeRuns(runs), defaults, client);
}

async function importRun(
  from: string,
  format: string,
  run: ImportedRun,
  defaults: ImportDefaults,
  client: ConsoleClient,
) {
  const events = eventsOf(run, defaults).map((event) => JSON.stringify(event));
  await send(from, events, client);
  printLine(`${from}: ${format}, ${events.length} events, run ${defaults.runId}`);
}

/** Events say for themselves what they belong to. */
async function importEvents(path: string, events: readonly string[], options: Options, client: ConsoleClient) {
  const unused = (['tag', 'branch', 'suite', 'repository', 'runId'] as const).filter((name) => options[name]);
  if (unused.length > 0)
    printNote(
      `${path}: these events name their own run, so these options are ignored: ${unused.map(flagOf).join(', ')}`,
    );
  await send(path, events, client);
  const runIds = new Set(events.map((event) => runIdIn(event)));
  printLine(`${path}: ndjson, ${events.length} events, run ${[...runIds].join(', ')}`);
}

const flagOf = (name: string): string => (name === 'runId' ? '--run-id' : `--${name}`);

const manyOfOneTag = (count: number, tag: string): string =>
  `${count} files become ${count} runs with the tag ${tag}, and only the newest counts as its proof. --run-id combines them into one run.`;

const aboutOf = (options: Options, file: { path: string; writtenAtMs: number; runId: string }): ImportDefaults => ({
  runId: options.runId ?? file.runId,
  suite: options.suite ?? basename(file.path).replace(/\.[^.]*$/, ''),
  repository: userFile(options.repository ?? '.'),
  branch: options.branch ?? null,
  tag: options.tag ?? null,
  writtenAtMs: file.writtenAtMs,
});

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const printNote = (line: string): void => void process.stderr.write(`${line}\n`);

async function send(from: string, events: readonly string[], client: ConsoleClient): Promise<void> {
  let sent = 0;
  for (const batch of batchesOf(events)) {
    const { rejected } = await client.call('ingest', { batch: `{"events":[${batch.join(',')}]}` });
    const [first] = rejected;
    if (first) {
      const said = `${rejected.length} events were rejected; event ${sent + first.index + 1}: ${first.message}`;
      throw new CallFailed(`${from}: ${said}`, exitCodes.refused);
    }
    sent += batch.length;
  }
}

/** The same file is the same run. */
function contentId(content: Buffer): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
