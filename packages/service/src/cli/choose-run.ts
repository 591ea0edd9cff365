import { CallFailed, type ConsoleClient, exitCodes } from './client.ts';

type Filter = { tag?: string | undefined; suite?: string | undefined };

/** Finds a run by its id or the start of it; without a name, the live run, else the newest. */
export async function chooseRun(
  client: ConsoleClient,
  named: string | undefined,
  { tag, suite }: Filter,
): Promise<string> {
  if (named !== undefined) return named.length >= 36 ? named : fullId(client, named);
  const [live] = await client.call('list_runs', { tag, suite, state: 'running', limit: 1 });
  const [newest] = live ? [live] : await client.call('list_runs', { tag, suite, limit: 1 });
  if (newest) return newest.runId;
  throw new CallFailed(
    'No runs yet. Publish one: "signalbox connect --tests" in a project, or "signalbox run -- <test command>".',
    exitCodes.refused,
  );
}

async function fullId(client: ConsoleClient, beginning: string): Promise<string> {
  const runs = await client.call('list_runs', {});
  const found = runs.filter(({ runId }) => runId.startsWith(beginning));
  const [only] = found;
  if (found.length > 1 && !runs.some(({ runId }) => runId === beginning))
    throw new CallFailed(`${found.length} runs start with ${beginning}. Type more of the id.`, exitCodes.usage);
  return runs.find(({ runId }) => runId === beginning)?.runId ?? only?.runId ?? beginning;
}
