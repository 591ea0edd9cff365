import pg from 'pg';
import { type Refusal, RefusedError, refuse } from '../../kernel/outcome.ts';

/** The database cannot be reached, so what is asked cannot be read. */
export class StoreUnavailable extends RefusedError {
  constructor(options?: ErrorOptions) {
    super(
      refuse('store_unavailable', 'The database cannot be reached, so this cannot be read. Try again in a moment.'),
    );
    this.name = 'StoreUnavailable';
    this.cause = options?.cause;
  }
}

/** Connection lost, shutting down, out of resources, or a stand-by that takes no writes: it may pass by itself. */
const transientCodes = /^(08|53|57|25006)/;

/** Turns a driver error into StoreUnavailable unless the statement itself was at fault. */
export const asStoreFault = (fault: unknown): unknown =>
  fault instanceof pg.DatabaseError && !transientCodes.test(fault.code ?? '')
    ? fault
    : new StoreUnavailable({ cause: fault });

export const isUnavailable = (fault: unknown): fault is StoreUnavailable => fault instanceof StoreUnavailable;

export const notWritten = (): Refusal =>
  refuse('store_unavailable', 'Nothing was written: the database cannot be reached. Try again in a moment.');

export const notConfirmed = (): Refusal =>
  refuse(
    'store_unavailable',
    'The database went away before it confirmed this write. Check whether it was written, or send it again with the same Idempotency-Key.',
  );
