import { type Message, messageIn, messageTypes } from 'signalbox/browser/messages';

export type HubListener = {
  onMessage: (message: Message) => void;
  onLink: (link: 'connecting' | 'live' | 'lost') => void;
  /** Whether anything was read before the hub was connected. */
  hasRead: () => boolean;
};

const firstWaitMs = 500;
/** Short, because the service is near: a page must be fresh soon after a restart. */
const longestWaitMs = 4_000;

/** Follows the hub until stopped: resumes after the last message, and waits longer after each failed attempt. */
export function followHub(
  path: string,
  { onMessage, onLink: link, hasRead }: HubListener,
  query: Record<string, string> = {},
): () => void {
  let source: EventSource | undefined;
  let timer: number | undefined;
  let last: string | undefined;
  let wait = firstWaitMs;

  const receive = (event: MessageEvent<string>) => {
    const message = messageIn(event.data);
    last = message.id ?? event.lastEventId ?? last;
    onMessage(message);
  };

  const open = () => {
    const text = new URLSearchParams({ ...query, ...(last === undefined ? {} : { after: last }) }).toString();
    source = new EventSource(text === '' ? path : `${path}?${text}`);
    source.onopen = () => {
      wait = firstWaitMs;
      // Without a message to resume from, changes since the first read may be missing.
      if (last === undefined && hasRead()) onMessage({ type: 'reset', data: {} });
      link('live');
    };
    source.onmessage = receive;
    for (const type of messageTypes) source.addEventListener(type, receive);
    source.onerror = () => {
      source?.close();
      link('lost');
      timer = window.setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, longestWaitMs);
    };
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
    source?.close();
  };
}
