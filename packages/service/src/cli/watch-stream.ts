import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CallFailed, exitCodes, tokenHint } from './client.ts';

/** The envelope of a message; of a newer service its type may be unknown here. */
const envelope = z.object({
  type: z.string(),
  subject: z.string().optional(),
  time: z.string().optional(),
  data: z.unknown(),
});
export type WatchedMessage = z.output<typeof envelope>;

type WatchOptions = {
  address: URL;
  token: string | undefined;
  print(text: string, message: WatchedMessage): void;
  complain(text: string): void;
};

/** Reconnects after every cut with the last id received. Gives up only on a refusal, or when the first connection fails. */
export async function watch({ address, token, print, complain }: WatchOptions): Promise<never> {
  let after: string | undefined;
  for (let failures = 0; ; ) {
    try {
      const stream = await open(address, token, after);
      if (failures > 0) complain('connected again');
      failures = 0;
      after ??= '';
      for await (const { id, text } of messagesIn(stream)) {
        after = id ?? after;
        if (text !== undefined) print(text, envelope.parse(JSON.parse(text)));
      }
    } catch (fault) {
      if (fault instanceof CallFailed) throw fault;
      if (after === undefined) throw new CallFailed(nobodyThere(address), exitCodes.unreachable);
    }
    if (failures === 0) complain('the line was cut; trying again');
    failures += 1;
    await sleep(Math.min(250 * 2 ** failures, 5_000));
  }
}

const nobodyThere = ({ origin }: URL): string =>
  `Nothing answers at ${origin}. Start the service with "signalbox start", or name its address with --url.`;

async function open(address: URL, token: string | undefined, after = ''): Promise<ReadableStream<Uint8Array>> {
  const headers = {
    accept: 'text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(after !== '' && { 'last-event-id': after }),
  };
  const response = await fetch(address, { headers });
  if (response.ok && response.body) return response.body;
  const problem = await response.json().catch(() => ({}));
  const { detail = `The hub answered ${response.status}.` } = problem as { detail?: string };
  if (response.status >= 500) throw new Error(detail);
  const hint = response.status === 401 ? ` ${tokenHint}` : '';
  throw new CallFailed(detail + hint, exitCodes.refused);
}

/** The events of a stream; `text` is absent where only the place moved. */
export async function* messagesIn(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string | undefined; text: string | undefined }> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield { id: field(block, 'id'), text: field(block, 'data') };
  }
}

const field = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);
