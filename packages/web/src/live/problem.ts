export type Fault = { path: string; message: string };

/** A refusal of the service, or the fact that it did not answer, as a page can show it. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly Fault[];
  /** The whole answer; some refusals carry more than a message. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.detail === 'string' ? body.detail : `The service answered ${status}.`);
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : status === 409 ? 'conflict' : 'unexpected';
    this.faults = Array.isArray(body.errors) ? (body.errors as Fault[]) : [];
    this.body = body;
  }
}

export const unreachable = (): Problem =>
  new Problem(0, {
    code: 'unreachable',
    detail: 'Signalbox does not answer. It may be restarting; this page goes on by itself when it is back.',
  });

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem(0, { code: 'fault', detail: error instanceof Error ? error.message : String(error) });

/** The message for one member of a form. */
export const faultAt = (problem: Problem | null, path: string): string | undefined =>
  problem?.faults.find((fault) => fault.path === path)?.message;

/** The first message for a list member of a form or for anything in it. */
export const faultUnder = (problem: Problem | null, list: string): string | undefined =>
  problem?.faults.find(({ path }) => path === list || path.startsWith(`${list}.`) || path.startsWith(`${list}[`))
    ?.message;
