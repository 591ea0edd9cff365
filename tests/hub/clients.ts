import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { EventSource } from 'eventsource';
import WebSocket from 'ws';
import type { Started } from '../start.ts';

/** A message of the hub, as any client reads it. */
export type HubMessage = {
  specversion: string;
  id: string;
  source: string;
  type: string;
  subject?: string;
  time: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  data: any;
};

/** A client that records its messages in order. */
export type Listener = AsyncDisposable & {
  heard: HubMessage[];
  /** Waits until this many messages have arrived, then returns them all. */
  until(count: number): Promise<HubMessage[]>;
  /** Waits for a matching message. */
  untilOne(fits: (message: HubMessage) => boolean): Promise<HubMessage>;
  close(): Promise<void>;
  /** Settles when the other side closed the connection, with the close code if there is one. */
  closed: Promise<number | undefined>;
};

type HubAddress = Pick<Started, 'url'>;

function listener(hear: (tell: (text: string) => void, end: (code?: number) => void) => () => void | Promise<void>) {
  const heard: HubMessage[] = [];
  const waiting = new Set<() => void>();
  let ended: (code?: number) => void = () => undefined;
  const closed = new Promise<number | undefined>((resolve) => (ended = resolve));
  const stop = hear(
    (text) => {
      heard.push(JSON.parse(text));
      for (const look of waiting) look();
    },
    (code) => ended(code),
  );
  const until = <T>(found: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const value = found();
        if (value === undefined) return;
        waiting.delete(look);
        resolve(value);
      };
      waiting.add(look);
      look();
    });
  const close = async () => void (await stop());
  return {
    heard,
    until: (count: number) => until(() => (heard.length >= count ? heard : undefined)),
    untilOne: (fits: (message: HubMessage) => boolean) => until(() => heard.find(fits)),
    close,
    closed,
    [Symbol.asyncDispose]: close,
  };
}

const hub = ({ url }: HubAddress, query: string) => `${url}/api/messages${query}`;

/** A plain EventSource, connected. */
export async function viaEvents(place: HubAddress, query = ''): Promise<Listener> {
  const source = new EventSource(hub(place, query));
  const made = listener((tell, end) => {
    source.onmessage = ({ data }) => tell(data);
    source.addEventListener('error', () => end());
    return () => source.close();
  });
  await new Promise((resolve, reject) => {
    source.onopen = resolve;
    source.onerror = reject;
  });
  return made;
}

/** A WebSocket, connected. */
export async function viaSocket(
  place: HubAddress,
  query = '',
  headers: Record<string, string> = {},
): Promise<Listener> {
  const socket = new WebSocket(hub(place, query).replace('http', 'ws'), { headers });
  const made = listener((tell, end) => {
    socket.on('message', (frame) => tell(String(frame)));
    socket.on('close', end);
    return () => socket.close();
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return made;
}

export type SignalrOptions = { query?: string; token?: string; skipNegotiation?: boolean };

/** The standard SignalR client, connected; `reset` is the first message it gets. */
export async function viaSignalr(
  place: HubAddress,
  { query = '', token, skipNegotiation = false }: SignalrOptions = {},
) {
  const connection = new HubConnectionBuilder()
    .withUrl(hub(place, query), {
      transport: HttpTransportType.WebSockets,
      skipNegotiation,
      ...(token && { accessTokenFactory: () => token }),
    })
    .configureLogging(LogLevel.None)
    .build();
  const made = listener((tell, end) => {
    connection.on('ReceiveMessage', tell);
    connection.onclose(() => end());
    return () => connection.stop();
  });
  await connection.start();
  return { ...made, connection };
}

/** A stream read by hand, which a test can cut anywhere. `text` is everything received, including keep-alives. */
export async function rawEvents(place: HubAddress, query = '', headers: Record<string, string> = {}) {
  const cut = new AbortController();
  const response = await fetch(hub(place, query), {
    headers: { accept: 'text/event-stream', ...headers },
    signal: cut.signal,
  });
  let text = '';
  const made = listener((tell, end) => {
    void (async () => {
      let rest = '';
      try {
        for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          text += chunk;
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = block.split('\n').find((line) => line.startsWith('data: '));
            if (data) tell(data.slice(6));
          }
        }
      } catch {
        // A cut stream ends too.
      }
      end();
    })();
    return () => cut.abort();
  });
  return { ...made, response, text: () => text };
}
