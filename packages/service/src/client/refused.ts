import { type ReceivedProblem, readProblem } from '../browser/problem.ts';

/** The service refused the call. `problem` is its problem object; `code` is stable, so programs can switch on it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;
  readonly problem: Readonly<Record<string, unknown>>;
  /** The errors of the input, by member. */
  readonly errors: ReceivedProblem['errors'];

  constructor(status: number, received: unknown) {
    const { code, detail, errors, body } = readProblem(received);
    super(detail ?? `The service answered ${status}.`);
    this.status = status;
    this.code = code ?? 'unexpected';
    this.problem = body;
    this.errors = errors;
  }
}

/** The service did not answer, neither on its socket nor over REST. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(url: string, cause?: unknown) {
    super(`Signalbox does not answer at ${url || 'this address'}.`, { cause });
  }
}

/** The status of the service, or of a gateway that answers for it while it restarts. */
const passing: readonly number[] = [408, 429, 502, 503, 504];

/** Whether the same call may succeed later. */
export const mayPass = (fault: unknown): boolean =>
  fault instanceof Unreachable || (fault instanceof Refused && passing.includes(fault.status));
