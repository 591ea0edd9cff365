/** Why a call from the command line failed, with its exit code. */
export class CallFailed extends Error {
  readonly exitCode: number;
  /** The HTTP status of a refusal. */
  readonly status: number | undefined;
  constructor(message: string, exitCode: number, status?: number) {
    super(message);
    this.exitCode = exitCode;
    this.status = status;
  }
}

/** 0 done, 1 refused by the service, 2 usage error, 3 service unreachable. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** Whether the same call may succeed later: the service, or a proxy that answers for it while it restarts, is busy or broken. */
export const mayPass = (status = 0): boolean => status >= 500 || status === 408 || status === 429;
