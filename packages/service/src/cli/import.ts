import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { CallFailed, type Client, consoleUrlOption, createConsoleClient, exitCodes } from './client.ts';
import type { About } from './import/imported.ts';
import { readResults } from './import/read-results.ts';
import { userFile } from './user-folder.ts';

const batchSize = 500;
type Options = { url?: string; tag?: string; branch?: string; suite?: string; repository?: string; runId?: string };

/** Any language's results become runs, by the way every run comes in. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('make runs of test result files: JUnit XML, CTRF, or NDJSON of monitor events')
    .argument('<file...>')
    .option(...consoleUrlOption)
    .option('--tag <tag>', 'tag of the runs, such as <plan>/<node>')
    .option('--branch <branch>')
    .option('--suite <name>', 'what to call the suite where the file does not')
    .option('--repository <path>', 'root of the repository (the working directory)')
    .option('--run-id <id>', 'id of the run (one made from the content of the file)')
    .action(async (files: string[], options: Options) => {
      const client = createConsoleClient(options.url);
      for (const file of files) process.stdout.write(`${await importFile(file, options, client)}\n`);
    });
}

async function importFile(file: string, options: Options, client: Client): Promise<string> {
  const content = await readFile(userFile(file)).catch((error: NodeJS.ErrnoException) => {
    throw new CallFailed(`${file} cannot be read (${error.code}).`, exitCodes.usage);
  });
  const about: About = {
    runId: options.runId ?? idOf(content),
    suite: options.suite ?? basename(file).replace(/\.[^.]*$/, ''),
    repository: userFile(options.repository ?? '.'),
    branch: options.branch ?? null,
    tag: options.tag ?? null,
    writtenAtMs: (await stat(userFile(file))).mtimeMs,
  };
  try {
    const { format, events } = readResults(content.toString('utf8'), about);
    await send(events, client);
    const runs = new Set(events.map((event) => (JSON.parse(event) as { runId: string }).runId));
    return `${file}: ${format}, ${events.length} events, run ${[...runs].join(', ')}`;
  } catch (fault) {
    if (fault instanceof CallFailed) throw fault;
    throw new CallFailed(`${file}: ${(fault as Error).message}`, exitCodes.refused);
  }
}

async function send(events: readonly string[], client: Client): Promise<void> {
  for (let from = 0; from < events.length; from += batchSize) {
    const batch = `{"events":[${events.slice(from, from + batchSize).join(',')}]}`;
    const { rejected } = await client.json<{ rejected: Array<{ index: number; message: string }> }>(
      'POST',
      '/api/ingest',
      batch,
    );
    const [first] = rejected;
    if (first)
      throw new Error(`${rejected.length} events were refused; event ${from + first.index + 1}: ${first.message}`);
  }
}

/** The same file is the same run. */
function idOf(content: Buffer): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
