import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { z } from 'zod';
import { parsedJson } from '../kernel/parsed-json.ts';
import type { Config } from './config.ts';

export type OwnAnswer = { status: number; body: unknown };
type Address = Pick<Config, 'hosts' | 'tls'>;

const mostBytes = 1024 * 1024;
/** A service on an overloaded machine answers late; a closed port refuses at once. */
const patienceMs = 10_000;

/**
 * Calls the service of this machine by its own settings. Over loopback nobody can intercept the call, so the certificate is not checked; the
 * service itself reports an expired one. Null if nothing answers in JSON.
 */
export function askOwn(
  { hosts, tls }: Address,
  port: number,
  path: string,
  timeoutMs = patienceMs,
  token?: string,
): Promise<OwnAnswer | null> {
  const [first = ''] = hosts;
  const host = first === '' || first === '0.0.0.0' || first === '::' ? '127.0.0.1' : first;
  return new Promise((resolve) => {
    const options = {
      host,
      port,
      path,
      timeout: timeoutMs,
      headers: { connection: 'close', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    };
    const asked = tls ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options);
    asked.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > mostBytes) asked.destroy();
      });
      response.once('end', () => resolve(answerOf(response.statusCode ?? 0, text)));
      response.once('error', () => resolve(null));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(null));
    asked.once('close', () => resolve(null));
    asked.end();
  });
}

function answerOf(status: number, text: string): OwnAnswer | null {
  const body = parsedJson(text);
  return body === undefined ? null : { status, body };
}

/** The response of every Signalbox, and of no other program. */
const ping = z.object({ tool: z.literal('signalbox'), version: z.string() });

/** The Signalbox at that port. It may have been started with different TLS settings from this shell's. */
export async function pingOwn(
  { hosts, tls: own }: Address,
  port: number,
): Promise<{ version: string; tls: boolean } | undefined> {
  const asked = [own, own ? undefined : { cert: '', key: '' }].map(async (tls) => {
    const { data } = ping.safeParse((await askOwn({ hosts, tls }, port, '/api/ping'))?.body);
    return data && { version: data.version, tls: tls !== undefined };
  });
  return (await Promise.all(asked)).find((answer) => answer !== undefined);
}
