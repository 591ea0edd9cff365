import { hubSilentMs, type Message, messageIn, messageTypes } from 'signalbox/browser/messages';

export type HubListener = {
  /** All messages since the last animation frame. */
  onMessages: (messages: Message[]) => void;
  onLink: (link: 'connecting' | 'live' | 'lost') => void;
  /** Whether anything was read before the hub was connected. */
  hasRead: () => boolean;
};

const firstWaitMs = 500;
/** Short, because the service is near: a page must be up to date soon after a restart. */
const longestWaitMs = 4_000;
/** How long to wait for a connection that neither opens nor fails. */
const openWithinMs = 10_000;

/** Follows the hub until stopped: resumes after the last message, and waits longer after each failed attempt. */
export function followHub(
  path: string,
  { onMessages, onLink: link, hasRead }: HubListener,
  query: Record<string, string> = {},
): () => void {
  const deliver = perFrame(onMessages);
  let source: EventSource | undefined;
  let timer: number | undefined;
  let last: string | undefined;
  let wait = firstWaitMs;
  const silence = new Silence();

  const receive = (event: MessageEvent<string>) => {
    silence.limit(hubSilentMs, open);
    const message = messageIn(event.data);
    last = message.id ?? event.lastEventId ?? last;
    deliver(message);
  };

  const lose = () => {
    silence.end();
    source?.close();
    link('lost');
    timer = window.setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, longestWaitMs);
  };

  const open = () => {
    source?.close();
    source = new EventSource(addressOf(path, last === undefined ? query : { ...query, after: last }));
    silence.limit(openWithinMs, lose);
    source.onopen = () => {
      silence.limit(hubSilentMs, open);
      wait = firstWaitMs;
      // Without a message to resume from, changes since the first read may be missing.
      if (last === undefined && hasRead()) deliver({ type: 'reset', data: {} });
      link('live');
    };
    source.onmessage = receive;
    for (const type of messageTypes) source.addEventListener(type, receive);
    source.addEventListener('bookmark', ({ lastEventId }) => {
      silence.limit(hubSilentMs, open);
      last = lastEventId || last;
    });
    source.onerror = lose;
  };

  const wake = () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    clearTimeout(timer);
    wait = firstWaitMs;
    open();
  };
  addEventListener('online', wake);
  link('connecting');
  open();
  return () => {
    removeEventListener('online', wake);
    clearTimeout(timer);
    silence.end();
    source?.close();
  };
}

function addressOf(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

class Silence {
  #timer: number | undefined;

  /** Unless it is called again within that time, `act` is called. */
  limit(ms: number, act: () => void): void {
    this.end();
    this.#timer = window.setTimeout(act, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** The browser's frames and timers; a test passes its own. */
type Ticker = { frame: (run: () => void) => void; later: (run: () => void, ms: number) => void };

const browser: Ticker = {
  frame: (run) => void requestAnimationFrame(run),
  later: (run, ms) => void setTimeout(run, ms),
};

/**
 * Collects items and passes them on once per animation frame. A hidden tab has no frames, so a timer does the same there.
 */
export function perFrame<Item>(flush: (items: Item[]) => void, ticker: Ticker = browser): (item: Item) => void {
  let waiting: Item[] = [];
  const run = () => {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    flush(items);
  };
  return (item) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    ticker.frame(run);
    ticker.later(run, 50);
  };
}
