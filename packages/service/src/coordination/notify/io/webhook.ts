import { createHmac, randomUUID } from 'node:crypto';
import { loginOf, withoutLogin } from '../../../kernel/address.ts';
import type { Notification, NotificationSender } from '../ports.ts';

export type WebhookOptions = {
  url: string;
  /** Signs each body, where it is set. */
  secret: string | undefined;
  host: string;
  warn: (text: string) => void;
  /** Told of each notification that was taken, and of each that was given up. */
  onOutcome?: (isDelivered: boolean) => void;
  /** Waits before each further try. */
  retryMs?: readonly number[];
};

const queueLimit = 200;
const answerTimeoutMs = 10_000;

/** Posts one notification after the other; an unreachable address is tried again, overflow is warned about. */
export function createWebhook({
  url,
  secret,
  host,
  warn,
  onOutcome,
  retryMs = [1_000, 5_000, 30_000, 120_000],
}: WebhookOptions): NotificationSender {
  const address = withoutLogin(url);
  const pair = loginOf(url);
  const login = pair === undefined ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  const waiting: Notification[] = [];
  const stopped = new AbortController();
  let busy = false;

  const deliver = async (notification: Notification) => {
    const body = bodyFor(url, notification, host);
    const headers = { 'content-type': 'application/json', ...login, ...headersFor(notification, body, secret) };
    for (let tries = 0; !stopped.signal.aborted; tries++) {
      const status = await post(address, body, headers, stopped.signal);
      if (status >= 200 && status < 300) return onOutcome?.(true);
      const isFinal = status >= 400 && status < 500 && status !== 429 && status !== 408;
      const waitMs = retryMs[tries];
      // The first failure counts: the last try is minutes away.
      if (tries === 0) onOutcome?.(false);
      if (isFinal || waitMs === undefined)
        return warn(`the webhook did not accept a notification (${notification.type}): ${status || 'no answer'}`);
      await pause(waitMs, stopped.signal);
    }
  };
  const run = async () => {
    for (let next = waiting.shift(); next && !stopped.signal.aborted; next = waiting.shift()) await deliver(next);
    busy = false;
  };

  return {
    send(notification) {
      if (waiting.length >= queueLimit)
        return warn(`a notification (${notification.type}) was dropped: too many are queued`);
      waiting.push(notification);
      if (busy) return;
      busy = true;
      void run();
    },
    stop() {
      const left = waiting.length + (busy ? 1 : 0);
      if (left > 0) warn(`notifications not delivered before the service stopped: ${left}`);
      stopped.abort();
    },
  };
}

/** Slack and compatible services accept only a text. */
function bodyFor(url: string, notification: Notification, host: string): string {
  const { hostname, pathname, searchParams } = new URL(url);
  const isChat =
    hostname === 'hooks.slack.com' || /\/slack\/?$/.test(pathname) || searchParams.get('format') === 'slack';
  return JSON.stringify(isChat ? { text: notification.text } : { ...notification, host });
}

/** The signature covers the time too, so that a delivery cannot be played again later. */
function headersFor({ type, at }: Notification, body: string, secret: string | undefined): Record<string, string> {
  const seconds = Math.floor(Date.parse(at) / 1000);
  const headers = { 'x-signalbox-event': type, 'x-signalbox-delivery': randomUUID() };
  if (secret === undefined) return headers;
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { ...headers, 'x-signalbox-signature': `t=${seconds},v1=${signature}` };
}

async function post(url: string, body: string, headers: Record<string, string>, stopped: AbortSignal): Promise<number> {
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(answerTimeoutMs)]);
    const answer = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    stopped.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}
