import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { demoSteps } from '../browser/demo.ts';
import { publishedFolder } from '../files/package-folder.ts';
import { platform } from '../platform/platform.ts';
import { runIdIn } from './batches.ts';
import {
  CallFailed,
  type ConsoleClient,
  consoleUrlOption,
  createClient,
  createConsoleClient,
  exitCodes,
} from './client.ts';
import { unlessRefused } from './unless-refused.ts';

const examples = publishedFolder('examples', 'examples');

type Options = { into?: string; console?: string; open: boolean };

/** `signalbox demo`: a four-minute story on a separate service, or a static example in a running one. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'play an example of agents, plans and test runs on a separate service, and remove everything at the end',
    )
    .option('--no-open', 'do not open the browser')
    .option('--into <address>', 'load the same examples, without the story, into a running service instead')
    .option('--console <address>', `with --into: ${consoleUrlOption[1]}`)
    .addHelpText('after', '\nPORT=8026,8025 sets the ports; without it free ports are chosen.')
    .action(async ({ into, console, open }: Options) => {
      if (into !== undefined) return loadInto(into, console);
      if (platform.unsupported !== null) throw new CallFailed(platform.unsupported, exitCodes.refused);
      // Loaded only here: it imports the whole service.
      const { playLivingDemo } = await import('./demo/living-demo.ts');
      const { isStartRefusal } = await import('./start-refusals.ts');
      return playLivingDemo(readExamples(), { open, ports: process.env.PORT ?? '0,0' }).catch((fault: unknown) => {
        throw isStartRefusal(fault) ? new CallFailed(fault.message, exitCodes.refused) : fault;
      });
    });
}

async function loadInto(into: string, console: string | undefined): Promise<void> {
  const client = createClient(into);
  for (const { title, play } of demoSteps(documentsIn()))
    process.stdout.write(`${await unlessRefused(title, () => play(client.call))}\n`);
  for await (const line of playRuns(createConsoleClient(console), examples, Date.now()))
    process.stdout.write(`${line}\n`);
  process.stdout.write(`\nOpen ${client.url} to see it.\n`);
}

function readExamples() {
  const read = (...path: string[]) => readFileSync(join(examples, ...path), 'utf8');
  return {
    plans: documentsIn(),
    sdkRun: read('runs', 'sdk-unit.ndjson'),
    shopRun: read('runs', 'checkout-specs.ndjson'),
    model: JSON.parse(read('shop.event-model.json')) as object,
  };
}

function documentsIn(): Record<string, string> {
  const plans = join(examples, 'plans');
  const files = readdirSync(plans).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.map((name) => [name.replace(/\.yaml$/, ''), readFileSync(join(plans, name), 'utf8')]),
  );
}

const minute = 60_000;
/** Files are played in order of their names; the last run ended a minute ago. */
const intervalMs = 10 * minute;

/** Sends example runs, and the event model with the specifications they verify, to a run console. */
async function* playRuns(client: ConsoleClient, folder: string, now: number): AsyncIterable<string> {
  try {
    const files = readdirSync(join(folder, 'runs')).sort();
    for (const [index, file] of files.entries()) {
      const endedAt = now - minute - (files.length - 1 - index) * intervalMs;
      yield await playRun(client, readFileSync(join(folder, 'runs', file), 'utf8'), endedAt);
    }
    const model = readFileSync(join(folder, 'shop.event-model.json'), 'utf8');
    yield await unlessRefused('event model demo', () =>
      client.call('push_event_model', { source: 'demo', document: JSON.parse(model) }),
    );
  } catch (fault) {
    if (!(fault instanceof CallFailed) || fault.exitCode !== exitCodes.unreachable) throw fault;
    yield `runs and event model are skipped: ${fault.message}`;
  }
}

async function playRun(client: ConsoleClient, lines: string, endedAt: number): Promise<string> {
  const events = endingAt(lines, endedAt).trim().split('\n');
  const runId = runIdIn(events[0] ?? '{}');
  const known = await client.call('list_runs', {});
  // With new times it would be a different run under the same id.
  if (known.some((run) => run.runId === runId)) return `run ${runId}: already exists`;
  await client.call('ingest', { batch: `{"events":[${events.join(',')}]}` });
  return `run ${runId}`;
}

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** The same events, shifted so that the last one is at the given time. */
function endingAt(lines: string, endedAt: number): string {
  const last = Math.max(...(lines.match(instant) ?? []).map((text) => Date.parse(text)));
  return lines.replaceAll(instant, (text) => new Date(Date.parse(text) - last + endedAt).toISOString());
}
