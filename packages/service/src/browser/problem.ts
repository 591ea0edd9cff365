import { isObject } from '../kernel/is-object.ts';
import type { Fault } from '../kernel/outcome.ts';

/** A refusal as a client receives it, with null for what it lacks. */
export type ReceivedProblem = {
  code: string | null;
  detail: string | null;
  errors: readonly Fault[];
  /** All of it; some refusals carry more than a message. */
  body: Readonly<Record<string, unknown>>;
};

/** Anything but a problem object did not come from Signalbox and is ignored. */
export function readProblem(received: unknown): ReceivedProblem {
  const body = isObject(received) ? received : {};
  return {
    code: textIn(body.code),
    detail: textIn(body.detail),
    errors: Array.isArray(body.errors) ? body.errors.filter(isFault) : [],
    body,
  };
}

/** The same of the text of an answer. */
export function problemIn(text: string): ReceivedProblem {
  try {
    return readProblem(JSON.parse(text));
  } catch {
    return readProblem(null);
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const isFault = (value: unknown): value is Fault =>
  isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
