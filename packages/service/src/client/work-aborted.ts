/** Why a function must stop. */
export type AbortCode = 'claim_lost' | 'node_removed' | 'plan_archived' | 'node_changed' | 'timeout' | 'stopped';

/** The reason of a function's `signal`. */
export class WorkAborted extends Error {
  override readonly name = 'WorkAborted';
  readonly code: AbortCode;

  constructor(code: AbortCode, message: string) {
    super(message);
    this.code = code;
  }
}
