import { Refusal, refuse } from '../../../kernel/outcome.ts';

export type Address = { url: string; token: string | undefined };

const patienceMs = 5000;

/** One question to a console on another machine. Patience is for the answer to begin; a long one may take its time. */
export async function askConsole({ url, token }: Address, method: string, path: string): Promise<Response> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patienceMs);
  try {
    return await fetch(url + path, { method, headers, redirect: 'error', signal: giveUp.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** The same, with its no turned into ours. */
export async function fetchFromConsole(address: Address, method: string, path: string): Promise<Response | Refusal> {
  const answer = await askConsole(address, method, path).catch(() => null);
  if (!answer) return away();
  return answer.ok ? answer : refusalOf(answer);
}

const away = (): Refusal =>
  refuse(
    'host_unavailable',
    'The console that Service:PublisherUrl names does not answer. The list shows the last known runs; try again later.',
  );

/** Trouble of its own is as good as no answer. */
async function refusalOf(answer: Response): Promise<Refusal> {
  const problem = (await answer.json().catch(() => null)) as { code?: unknown; detail?: unknown; errors?: [] } | null;
  if (answer.status >= 500 || answer.status === 401 || typeof problem?.code !== 'string') return away();
  return new Refusal(problem.code as Refusal['code'], String(problem.detail ?? ''), problem.errors);
}

export async function* bodyOf(answer: Response): AsyncIterable<Uint8Array> {
  if (answer.body) yield* answer.body;
}
