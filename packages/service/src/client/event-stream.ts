import type { Message } from '../browser/messages.ts';
import { Refused } from './refused.ts';
import { type RestOptions, sendRest } from './rest-link.ts';

type Received = Message & { id?: string };

export type EventStreamOptions = {
  types: readonly string[];
  after: string | undefined;
  signal: AbortSignal;
  onOpen(): void;
  onMessage(message: Received): void;
};

/** Reads the hub as server-sent events if WebSockets are blocked. Settles when the stream ends. */
export async function hearEvents(rest: RestOptions, options: EventStreamOptions): Promise<void> {
  const { types, after, signal, onOpen, onMessage } = options;
  const query = new URLSearchParams({ types: types.join(','), ...(after !== undefined && { after }) });
  const request = { method: 'GET', path: `/api/messages?${query}`, body: undefined, mediaType: '' };
  const response = await sendRest(request, rest, { signal, accept: 'text/event-stream' });
  if (!response.ok || !response.body) throw new Refused(response.status, await response.json().catch(() => undefined));
  onOpen();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let begun = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (begun + decoder.decode(value, { stream: true })).split('\n\n');
    begun = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, data] = /^data: (.+)$/m.exec(block) ?? [];
      const [, id] = /^id: (.+)$/m.exec(block) ?? [];
      // A block without data only moves the id to resume after.
      if (data !== undefined) onMessage(JSON.parse(data));
      else if (id !== undefined) onMessage({ id } as Received);
    }
  }
}
