import { type ReceivedProblem, readProblem } from 'signalbox/browser/problem';
import { adviceOfPage } from './advice-of-page.ts';

export type Fault = ReceivedProblem['errors'][number];

/** A refusal of the service, or the fact that it did not answer, in a form that a page can show. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly Fault[];
  /** The whole answer; some refusals contain more than a message. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, { code, detail, errors, body }: ReceivedProblem) {
    super(adviceOfPage(code, detail) ?? `The service answered ${status}.`);
    this.status = status;
    this.code = code ?? (status === 409 ? 'conflict' : 'unexpected');
    const member = errors.length === 0 ? membersOf[this.code] : undefined;
    this.faults = member ? [{ path: member, message: this.message }] : errors;
    this.body = body;
  }
}

/** An error that this page finds itself. */
const own = (code: string, detail: string): Problem => new Problem(0, readProblem({ code, detail }));

export const unreachable = (): Problem =>
  own('unreachable', 'Signalbox does not answer. It may be restarting; this page continues by itself when it is back.');

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : own('fault', error instanceof Error ? error.message : String(error));

/** The members that refusals without a list of errors concern. */
const membersOf: Readonly<Record<string, string>> = { node_exists: 'id', plan_exists: 'plan', cycle: 'dependsOn' };

/** The message for one member of a form. */
export const faultAt = (problem: Problem | null, path: string): string | undefined =>
  problem?.faults.find((fault) => fault.path === path)?.message;

/** The first message for a list member of a form or for anything in it. */
export const faultUnder = (problem: Problem | null, list: string): string | undefined =>
  problem?.faults.find(({ path }) => path === list || path.startsWith(`${list}.`) || path.startsWith(`${list}[`))
    ?.message;
