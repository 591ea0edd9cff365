import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { routes } from '../browser/routes.ts';
import type { Needs } from '../coordination/needs/contract.ts';
import { errorCode } from '../kernel/error-code.ts';
import { serviceAddress } from './addresses.ts';
import { tokenNow } from './credentials.ts';
import { durationText } from './figures.ts';
import { visible } from './table.ts';

// A shell waits for its prompt, so this command alone loads neither the command line nor Node's HTTP client, each as slow as
// Node's own start. Nothing it imports may import those.

/** True if an option was typed without its value. */
type PromptOptions = Partial<Record<'as' | 'url' | 'wait', string | boolean | undefined>>;
type Env = Readonly<Record<string, string | undefined>>;

/** Including Node's own start it stays below 150 ms. */
const usualMs = 90;

/** The line to print; empty if nothing answers in time or nothing is to be shown. */
export async function promptLine({ as, url, wait }: PromptOptions, env: Env, now: number): Promise<string> {
  const address = addressOrNothing(textOf(url), env);
  if (address === null) return '';
  const token = tokenNow(address, env);
  // With a token, the person is the token's name.
  const person = textOf(as) || env.SIGNALBOX_AGENT?.trim() || (token ? '' : userInfo().username);
  const root = new URL(address);
  const mostMs = Number(textOf(wait)) || usualMs;
  const path = `${routes.list_needs.path}${person && `?for=${encodeURIComponent(person)}`}`;
  try {
    const ask = root.protocol === 'http:' ? plainGet : tlsGet;
    const text = await ask(root, path, token, mostMs);
    return visible(promptText(JSON.parse(text), now));
  } catch {
    return '';
  }
}

/** A prompt shows nothing for an address that other commands would refuse. */
function addressOrNothing(url: string, env: Env): string | null {
  try {
    return serviceAddress(url, env);
  } catch {
    return null;
  }
}

const textOf = (option: string | boolean | undefined): string => (typeof option === 'string' ? option.trim() : '');

/** Node's name lookup would take a fifth of the prompt's time, and this name is known. */
async function plainGet(root: URL, path: string, token: string | undefined, mostMs: number): Promise<string> {
  if (root.hostname !== 'localhost') return getFrom(root.hostname, root, path, token, mostMs);
  return getFrom('127.0.0.1', root, path, token, mostMs).catch((fault: unknown) => {
    if (errorCode(fault) !== 'ECONNREFUSED') throw fault;
    return getFrom('::1', root, path, token, mostMs);
  });
}

/** One HTTP 1.0 request; the answer ends with the connection. */
function getFrom(
  hostname: string,
  { host, port }: URL,
  path: string,
  token: string | undefined,
  mostMs: number,
): Promise<string> {
  const head = [`GET ${path} HTTP/1.0`, `host: ${host}`, ...(token ? [`authorization: Bearer ${token}`] : [])];
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('end', () => {
      const [, status = ''] = /^HTTP\/1\.\d (\d{3})/.exec(answer) ?? [];
      if (status === '200') resolve(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      else reject(new Error(`answered ${status}`));
    });
    socket.on('error', reject);
    setTimeout(() => socket.destroy(new Error('too slow')), mostMs).unref();
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  });
}

async function tlsGet({ origin }: URL, path: string, token: string | undefined, mostMs: number): Promise<string> {
  const { httpRequest } = await import('./http-request.ts');
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await httpRequest(`${origin}${path}`, { method: 'GET', headers, signal: AbortSignal.timeout(mostMs) });
  return answer.text();
}

/** Such as `checkout/lexer 12 min left, 2 need you`; empty without claims and needs. */
export function promptText({ needs, claims = [] }: Needs, now: number): string {
  const [first] = claims;
  const held =
    first && `${first.ref} ${leftText(first.expiresAt, now)}${claims.length > 1 ? ` +${claims.length - 1}` : ''}`;
  const asked = needs.length > 0 && `${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you`;
  return [held, asked].filter(Boolean).join(', ');
}

function leftText(until: string, now: number): string {
  const minutes = Math.floor((Date.parse(until) - now) / 60_000);
  return minutes < 1 ? 'ends now' : `${durationText(minutes)} left`;
}
