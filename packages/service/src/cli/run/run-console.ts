import { mayPass } from '../call-failed.ts';
import { CallFailed, type ConsoleClient } from '../client.ts';
import { RejectedEvents } from './rejected-events.ts';
import type { ShardOfRun } from './shard.ts';
import type { Posted } from './told-tests.ts';
import { noCounts, type RunCounts, runStarted, type SupervisedRun } from './watched-run.ts';

/** Whether the console accepted the start of the run; if not, `refusal` gives the reason as the beginning of a sentence. */
export type Begun = { client: ConsoleClient; rejected: RejectedEvents; isAccepted: boolean; refusal: string };

/** Publishes the start of the run, or finds the console of a run that others take part in. */
export async function beginRun(client: ConsoleClient, run: SupervisedRun, shard: ShardOfRun | null): Promise<Begun> {
  const rejected = new RejectedEvents();
  const status = shard
    ? await reach(client, run.runId)
    : await post(client, [JSON.stringify(runStarted(run))], rejected);
  const isAccepted = status === acceptedStatus && rejected.why === null;
  return { client, rejected, isAccepted, refusal: describeNoConsole(client, status, rejected.why) };
}

type SoFar = { run: RunCounts; participants: readonly { participant: string; finishedAt: string | null }[] };

export const unknownSoFar: SoFar = { run: noCounts, participants: [] };

/** Undefined if the console may answer later, null if it refuses. */
export async function soFar(client: ConsoleClient, runId: string): Promise<SoFar | null | undefined> {
  try {
    return await client.call('get_run', { runId }, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (fault) {
    return postedBy(statusIn(fault)) === 'again' ? undefined : null;
  }
}

const statusIn = (fault: unknown): number | null => (fault instanceof CallFailed ? (fault.status ?? null) : null);

/** An unreachable or hanging console delays the command no longer than this. */
export const timeoutMs = 5_000;
const acceptedStatus = 202;

/** A run that has not begun yet counts as a shared run. */
async function reach(client: ConsoleClient, runId: string): Promise<number | null> {
  try {
    await client.call('get_run', { runId }, { signal: AbortSignal.timeout(timeoutMs) });
    return acceptedStatus;
  } catch (fault) {
    const status = statusIn(fault);
    return status === 404 || status === 403 ? acceptedStatus : status;
  }
}

/** The HTTP status of the console's answer, if there was one. A heartbeat that is rejected is not worth a line. */
export async function post(
  client: ConsoleClient,
  events: readonly string[],
  rejected?: RejectedEvents,
): Promise<number | null> {
  try {
    const batch = `{"events":[${events.join(',')}]}`;
    const answer = await client.call('ingest', { batch }, { signal: AbortSignal.timeout(timeoutMs) });
    rejected?.note(answer.rejected);
    return acceptedStatus;
  } catch (fault) {
    return statusIn(fault);
  }
}

export function postedBy(status: number | null): Posted {
  if (status === acceptedStatus) return 'accepted';
  return status === null || mayPass(status) ? 'again' : 'refused';
}

function describeNoConsole({ url }: ConsoleClient, status: number | null, rejected: string | null): string {
  if (rejected !== null) return `The run console at ${url} rejected the run (${rejected})`;
  if (status === null) return `No run console at ${url}`;
  const why = status === 401 ? 'requires a token (set SIGNALBOX_TOKEN)' : `answered ${status}`;
  return `The run console at ${url} ${why}`;
}
