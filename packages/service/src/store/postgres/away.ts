import pg from 'pg';
import { type Refusal, Refused, refuse } from '../../kernel/outcome.ts';

/** The database cannot be reached, so what is asked cannot be read. */
export class StoreAway extends Refused {
  constructor(options?: ErrorOptions) {
    super(
      refuse('store_unavailable', 'The database cannot be reached, so this cannot be read. Try again in a moment.'),
    );
    this.name = 'StoreAway';
    this.cause = options?.cause;
  }
}

/** Connection lost, shutting down, out of resources, or a stand-by that takes no writes: it may pass by itself. */
const passing = /^(08|53|57|25006)/;

/** What the driver threw, told apart: the database being away, or a fault in what was asked of it. */
export const told = (fault: unknown): unknown =>
  fault instanceof pg.DatabaseError && !passing.test(fault.code ?? '') ? fault : new StoreAway({ cause: fault });

export const isAway = (fault: unknown): fault is StoreAway => fault instanceof StoreAway;

export const notWritten = (): Refusal =>
  refuse('store_unavailable', 'Nothing was written: the database cannot be reached. Try again in a moment.');

export const notConfirmed = (): Refusal =>
  refuse(
    'store_unavailable',
    'The database went away before it confirmed this write. Look whether it is there, or send it again with the same Idempotency-Key.',
  );
