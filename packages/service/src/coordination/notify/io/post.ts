import { createHmac, randomUUID } from 'node:crypto';
import { loginOf, withoutLogin } from '../../../kernel/address.ts';
import { errorCode, errorMessage } from '../../../kernel/error-code.ts';
import type { Occurrence } from '../../../receivers/occurrence.ts';
import type { Receiver } from '../../../receivers/receivers.ts';
import type { Sent } from '../ports.ts';
import { notifyTypeOf, type Rendered } from '../render.ts';

const answerTimeoutMs = 10_000;

/** Posts once. Redirects are not followed, and the answer is not read. */
export async function post(
  receiver: Receiver,
  occurrence: Occurrence,
  { contentType, body }: Rendered,
  now: number,
  stopped: AbortSignal,
): Promise<Sent> {
  const login = loginOf(receiver.url);
  const headers = {
    'content-type': contentType,
    'user-agent': 'Signalbox-Webhooks',
    ...(login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    ...(receiver.id === 'notify'
      ? notifyHeaders(occurrence, body, receiver.secret)
      : standardHeaders(occurrence.id, body, receiver.secret, Math.floor(now / 1000))),
  };
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(answerTimeoutMs)]);
    const answer = await fetch(withoutLogin(receiver.url), {
      method: 'POST',
      body,
      headers,
      signal,
      redirect: 'manual',
    });
    await answer.body?.cancel();
    return { status: answer.status, error: answer.ok ? null : `answered ${answer.status}` };
  } catch (fault) {
    return { status: null, error: whyOf(fault) };
  }
}

/** The error code only: messages may repeat the address. */
function whyOf(fault: unknown): string {
  const cause = fault instanceof Error ? fault.cause : undefined;
  if (fault instanceof Error && fault.name === 'TimeoutError') return `no answer within ${answerTimeoutMs / 1000} s`;
  return errorCode(cause) ?? errorCode(fault) ?? (cause === undefined ? 'not sent' : errorMessage(cause).slice(0, 200));
}

/** The headers that the Standard Webhooks specification defines. */
function standardHeaders(
  id: string,
  body: string,
  secret: string | undefined,
  seconds: number,
): Record<string, string> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds) };
  if (secret === undefined) return headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}

/** The headers for `Service:Notify`, which existed before webhooks. */
function notifyHeaders(occurrence: Occurrence, body: string, secret: string | undefined): Record<string, string> {
  const seconds = Math.floor(Date.parse(occurrence.at) / 1000);
  const headers = { 'x-signalbox-event': notifyTypeOf(occurrence), 'x-signalbox-delivery': randomUUID() };
  if (secret === undefined) return headers;
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { ...headers, 'x-signalbox-signature': `t=${seconds},v1=${signature}` };
}
