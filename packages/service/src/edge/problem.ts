import type { Fault, Refusal } from '../kernel/outcome.ts';
import { docsPath } from '../kernel/service-paths.ts';
import { refusalStatus } from './refusal-status.ts';

/** RFC 9457. The same object is the REST body and the structured content of an MCP tool. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors?: readonly Fault[];
};

export const problemMediaType = 'application/problem+json; charset=utf-8';

export function problemOf({ code, detail, errors, extra: more }: Refusal): Problem {
  const [status, title] = refusalStatus[code];
  return { type: `${docsPath}#${code}`, title, status, detail, code, ...(errors && { errors }), ...more };
}

/** The headers of a refusal: when to try again, and how to say who calls. */
export const refusalHeaders = (
  { code, extra: { retryAfterSeconds } }: Refusal,
  challenge = 'Bearer',
): Record<string, string> => ({
  ...(typeof retryAfterSeconds === 'number' && { 'retry-after': String(retryAfterSeconds) }),
  ...((code === 'token_required' || code === 'token_invalid') && { 'www-authenticate': challenge }),
});

/** An internal error. It reveals no details. */
export const faultProblem: Problem = {
  type: `${docsPath}#internal`,
  title: 'Internal error',
  status: 500,
  detail: 'The service hit an unexpected error; its log has the reason. It is safe to try again.',
  code: 'internal',
};
