import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { hubSilentMs } from '../browser/messages.ts';
import { problemIn } from '../browser/problem.ts';
import { CallFailed, exitCodes, mayPass } from './call-failed.ts';
import { tokenHint } from './client.ts';

/** The envelope of a message; a newer service may send types unknown here. */
const envelope = z.object({
  type: z.string(),
  subject: z.string().optional(),
  time: z.string().optional(),
  data: z.unknown(),
});
export type WatchedMessage = z.output<typeof envelope>;

type WatchOptions = {
  address: URL;
  /** Requested for each connection, because a person's token is renewed. */
  token(): Promise<string | undefined>;
  print(text: string, message: WatchedMessage): void;
  complain(text: string): void;
  /** After this time without data from the service, the connection is given up. */
  silentMs?: number;
};

/**
 * Reconnects with the last id received when the connection is cut or falls silent. Gives up only on a refusal that
 * lasts, or when the first connection fails.
 */
export async function watch({ address, token, print, complain, silentMs = hubSilentMs }: WatchOptions): Promise<never> {
  let after: string | undefined;
  for (let failures = 0; ; ) {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), silentMs);
    try {
      const stream = await open(address, await token(), after, silence.signal);
      if (failures > 0) complain('reconnected');
      failures = 0;
      after ??= '';
      const messages = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { id, event, data } of messages) {
        timer.refresh();
        after = id ?? after;
        if (event !== 'bookmark') print(data, envelope.parse(JSON.parse(data)));
      }
    } catch (fault) {
      if (fault instanceof CallFailed && !(after !== undefined && mayPass(fault.status))) throw fault;
      if (after === undefined) throw new CallFailed(nobodyThere(address), exitCodes.unreachable);
    } finally {
      clearTimeout(timer);
    }
    if (failures === 0) complain('connection lost; reconnecting');
    failures += 1;
    await sleep(Math.min(250 * 2 ** failures, 5_000));
  }
}

const nobodyThere = ({ origin }: URL): string =>
  `No service answers at ${origin}. Start it with "signalbox start", or set its address with --url.`;

async function open(
  address: URL,
  token: string | undefined,
  after = '',
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers = {
    accept: 'text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(after !== '' && { 'last-event-id': after }),
  };
  const response = await fetch(address, { headers, signal });
  if (response.ok && response.body) return response.body;
  const detail =
    problemIn(await response.text()).detail ??
    `The hub answered with status ${response.status}. Check --url and SIGNALBOX_TOKEN.`;
  const hint = response.status === 401 ? ` ${tokenHint}` : '';
  throw new CallFailed(detail + hint, exitCodes.refused, response.status);
}
