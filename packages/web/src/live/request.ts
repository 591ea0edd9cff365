import { updateClockOffset } from '../ui/time.tsx';
import { connection, updateLink } from './connection.ts';
import { Problem, unreachable } from './problem.ts';

type RequestOptions = { body?: unknown; type?: string; query?: Record<string, string | number | boolean | undefined> };

export const apiPath = (strings: TemplateStringsArray, ...parts: string[]): string =>
  strings.reduce((path, text, index) => `${path}${encodeURIComponent(parts[index - 1] ?? '')}${text}`);

/** Sends one request to the service. Returns the body, or throws a `Problem` with the refusal. */
export async function request<Answer>(
  method: string,
  path: string,
  { body, type, query }: RequestOptions = {},
): Promise<Answer> {
  const response = await send(method, path + queryText(query), body, type);
  updateClockOffset(response.headers.get('date'));
  const text = await response.text();
  const json = /[/+]json/.test(response.headers.get('content-type') ?? '');
  const answer: unknown = json && text !== '' ? JSON.parse(text) : text;
  if (response.ok) return answer as Answer;
  if (response.status === 401) connection.setState({ needsToken: true });
  throw new Problem(response.status, typeof answer === 'object' && answer !== null ? { ...answer } : {});
}

async function send(method: string, path: string, body: unknown, type = 'application/json'): Promise<Response> {
  try {
    const response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': type },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    updateLink(true);
    return response;
  } catch {
    updateLink(false);
    throw unreachable();
  }
}

function queryText(query: RequestOptions['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
