import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallFailed, type ConsoleClient, exitCodes } from './client.ts';
import { runIdIn } from './run-id-in.ts';
import { unlessRefused } from './unless-refused.ts';

const minute = 60_000;
/** Files are played in order of their names; the last run ended a minute ago. */
const intervalMs = 10 * minute;

/** Sends example runs, and the event model with the specifications they verify, to a run console. */
export async function* playRuns(client: ConsoleClient, folder: string, now: number): AsyncIterable<string> {
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
