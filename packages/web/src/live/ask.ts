import { learnOffset } from '../ui/time.tsx';
import { connection, learnLink } from './connection.ts';
import { Problem, unreachable } from './problem.ts';

type Ask = { body?: unknown; type?: string; query?: Record<string, string | number | boolean | undefined> };

export const at = (strings: TemplateStringsArray, ...parts: string[]): string =>
  strings.reduce((path, text, index) => `${path}${encodeURIComponent(parts[index - 1] ?? '')}${text}`);

/** One call to the service. Answers the body, or throws the `Problem` that the service told. */
export async function ask<Answer>(method: string, path: string, { body, type, query }: Ask = {}): Promise<Answer> {
  const response = await send(method, path + queryText(query), body, type);
  learnOffset(response.headers.get('date'));
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
    learnLink(true);
    return response;
  } catch {
    learnLink(false);
    throw unreachable();
  }
}

function queryText(query: Ask['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
