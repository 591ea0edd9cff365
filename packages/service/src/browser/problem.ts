import { isObject } from '../kernel/is-object.ts';
import type { Fault } from '../kernel/outcome.ts';

/** A refusal as a client receives it; missing members are null. */
export type ReceivedProblem = {
  code: string | null;
  detail: string | null;
  errors: readonly Fault[];
  /** The whole object; some refusals have further members. */
  body: Readonly<Record<string, unknown>>;
};

/** Reads a problem object; anything else did not come from Signalbox and is ignored. */
export function readProblem(received: unknown): ReceivedProblem {
  const body = isObject(received) ? received : {};
  return {
    code: textIn(body.code),
    detail: textIn(body.detail),
    errors: Array.isArray(body.errors) ? body.errors.filter(isFault) : [],
    body,
  };
}

/** Reads the problem from the text of an answer. */
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
