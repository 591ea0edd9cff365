import { type ReceivedProblem, readProblem } from '../browser/problem.ts';

/** The answer has no code, so it is not from the service. */
const unknownCode = 'unexpected';

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
    this.code = code ?? unknownCode;
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

const passing: ReadonlySet<string> = new Set(['host_unavailable', 'store_unavailable', 'too_many_requests']);
/** Given by what is between here and a service that restarts. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether the same call may succeed later. */
export function mayPass(fault: unknown): boolean {
  if (!(fault instanceof Refused)) return fault instanceof Unreachable;
  return passing.has(fault.code) || (fault.code === unknownCode && passingStatuses.has(fault.status));
}
