import { errorCode } from '../../kernel/error-code.ts';
import type { OtlpTarget } from '../ports.ts';

/** `retry`: the collector may accept it later; `waitMs` is the delay it asks for. */
export type Posted =
  | { kind: 'taken'; rejected: string | null }
  | { kind: 'retry'; why: string; waitMs: number | null }
  | { kind: 'refused'; why: string };

/** The statuses that the protocol calls retryable. */
const retryable = new Set([429, 502, 503, 504]);
const longestWaitMs = 5 * 60_000;
const longestAnswer = 64 * 1024;

/** Posts once. Redirects are not followed. */
export async function postOtlp(target: OtlpTarget, body: string, stopped: AbortSignal): Promise<Posted> {
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(target.timeoutMs)]);
    const answer = await fetch(target.url, {
      method: 'POST',
      body,
      headers: { 'user-agent': 'signalbox', ...target.headers, 'content-type': 'application/json' },
      signal,
      redirect: 'manual',
    });
    if (answer.ok) return { kind: 'taken', rejected: rejectedIn(await firstOf(answer)) };
    await answer.body?.cancel();
    const why = `answered ${answer.status}`;
    if (!retryable.has(answer.status)) return { kind: 'refused', why };
    return { kind: 'retry', why, waitMs: waitOf(answer.headers.get('retry-after')) };
  } catch (fault) {
    return { kind: 'retry', why: whyOf(fault, target), waitMs: null };
  }
}

/** Seconds or a date. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), longestWaitMs);
}

/** A longer answer does not come from a collector. */
async function firstOf(answer: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > longestAnswer) return '';
  }
  return text;
}

/** The collector's message if it accepted only a part. */
function rejectedIn(text: string): string | null {
  try {
    const { partialSuccess }: { partialSuccess?: Record<string, unknown> } = JSON.parse(text);
    const count = Number(partialSuccess?.rejectedSpans ?? partialSuccess?.rejectedDataPoints ?? 0);
    return count > 0 ? `${count} rejected: ${String(partialSuccess?.errorMessage ?? '').slice(0, 200)}` : null;
  } catch {
    return null;
  }
}

/** The error code only: messages may repeat the address, and with it a secret. */
function whyOf(fault: unknown, { timeoutMs }: OtlpTarget): string {
  if (fault instanceof Error && fault.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return errorCode(fault instanceof Error ? fault.cause : undefined) ?? errorCode(fault) ?? 'not sent';
}
