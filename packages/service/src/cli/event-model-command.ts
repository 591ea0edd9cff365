import { existsSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import type { Command } from 'commander';
import type { Fault } from '../kernel/outcome.ts';
import { trimEndOf } from '../kernel/text.ts';
import { CallFailed, type ConsoleClient, consoleUrlOption, createConsoleClient } from './client.ts';
import { userFile } from './user-folder.ts';

type PushOptions = { source?: string; model?: string; url?: string; watch?: boolean };
type CommandResult = { ok: boolean; lines: readonly string[] };

/** `signalbox event-model`: checks and pushes models that are written by hand or exported. */
export function addEventModel(program: Command): void {
  const eventModel = program.command('event-model').description('check and push event models that are kept as files');
  eventModel
    .command('check')
    .description('list every error of a model file; needs no console')
    .argument('<file>', 'hand-written YAML, a descriptor, or an eventmodelers export')
    .option('--model <name>', 'the name of the model, if the file has none')
    .action(async (file: string, { model }: { model?: string }) => printResult(await check(file, model)));
  eventModel
    .command('push')
    .description('push a model file to the run console as one source')
    .argument('<file>', 'hand-written YAML, a descriptor, or an eventmodelers export')
    .option('--model <name>', 'the name of the model, if the file has none')
    .option('--source <name>', 'the source to replace (default: the source in the file, otherwise the file name)')
    .option(...consoleUrlOption)
    .option('--watch', 'push again whenever the file changes')
    .action(async (file: string, options: PushOptions) => {
      const client = createConsoleClient(options.url);
      if (!options.watch) return printResult(await push(file, options, client));
      await follow(file, async () => printResult(await push(file, options, client).catch(failed)));
    });
}

/** With --watch, a refusal or an unreachable console is only printed; the next change is pushed again. */
function failed(fault: unknown): CommandResult {
  if (fault instanceof CallFailed) return { ok: false, lines: [fault.message] };
  throw fault;
}

function printResult({ ok, lines }: CommandResult): void {
  (ok ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
  process.exitCode = ok ? 0 : 1;
}

async function readModel(file: string, model: string | undefined) {
  const { readSource } = await import('../../../event-model/src/written/model-file.ts');
  const text = await readFile(userFile(file), 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (text instanceof Error) return [`${file}: cannot be read (${text.code ?? text.message})`];
  const read = readSource(text, model);
  if (!Array.isArray(read)) return read;
  return read.map(({ line, ...fault }) => `${line === null ? file : `${file}:${line}`}: ${describeFault(fault)}`);
}

const describeFault = ({ path, message }: Fault): string => (path === '' ? message : `${path}: ${message}`);

async function check(file: string, model: string | undefined): Promise<CommandResult> {
  const read = await readModel(file, model);
  if (Array.isArray(read)) return { ok: false, lines: read };
  const { findingsOf } = await import('../../../event-model/src/written/model-file.ts');
  const { descriptor } = read;
  const findings = findingsOf(descriptor).map(({ slice, text }) => `  note: ${slice} ${text}`);
  const specifications = new Set(
    descriptor.slices.flatMap((slice) => slice.specifications.map(({ identity }) => identity)),
  );
  const counts = `${descriptor.slices.length} slices, ${specifications.size} specifications`;
  return { ok: true, lines: [`${file}: ${descriptor.name} is valid: ${counts}`, ...findings] };
}

async function push(
  file: string,
  { source: given, model }: PushOptions,
  client: ConsoleClient,
): Promise<CommandResult> {
  const read = await readModel(file, model);
  if (Array.isArray(read)) return { ok: false, lines: read };
  const source = given ?? read.source ?? sourceOf(file);
  await client.call('push_event_model', { source, document: read.descriptor });
  const { name, slices } = read.descriptor;
  return { ok: true, lines: [`${source}: ${slices.length} slices of ${name} pushed to ${client.url}`] };
}

/** A file name as a source name: other characters become a dash. */
const sourceOf = (file: string): string =>
  trimEndOf(
    basename(file, extname(file))
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[-_]+/, ''),
    '-',
  ).slice(0, 100) || 'board';

/**
 * Pushes now and after each change. It watches before it reads, so that no change is missed, and watches the folder,
 * because editors save by replacing the file.
 */
async function follow(file: string, pushNow: () => Promise<void>): Promise<void> {
  const path = userFile(file);
  if (!existsSync(dirname(path))) return pushNow();
  const content = () => readFile(path, 'utf8').catch(() => null);
  let last: string | null = null;
  const pushFirst = async () => {
    last = await content();
    await pushNow();
  };
  const pushChanged = async () => {
    const now = await content();
    if (now === null || now === last) return;
    last = now;
    await pushNow();
  };
  let pushes = Promise.resolve();
  let waiting: NodeJS.Timeout | undefined;
  const watcher = watch(dirname(path), (_, name) => {
    if (name !== null && name !== basename(path)) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      pushes = pushes.then(pushChanged);
    }, 100);
  });
  pushes = pushFirst();
  await pushes;
  process.stdout.write(`Watching ${file}. Stop with Ctrl-C.\n`);
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
  clearTimeout(waiting);
  watcher.close();
}
