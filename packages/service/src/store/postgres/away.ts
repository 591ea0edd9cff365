import pg from 'pg';
import { type Refusal, refuse } from '../../kernel/outcome.ts';

/** The database cannot be reached, so what is asked cannot be read. */
export class StoreAway extends Error {
  constructor(options?: ErrorOptions) {
    super('The database cannot be reached.', options);
    this.name = 'StoreAway';
  }
}

/** Connection lost, shutting down, out of resources, or a stand-by that takes no writes: it may pass by itself. */
const passing = /^(08|53|57|25006)/;

/** Whether a fault is of the database being away, rather than of what was asked. Only the database's own words have a code. */
export const isAway = (fault: unknown): boolean =>
  !(fault instanceof pg.DatabaseError) || passing.test(fault.code ?? '');

export const notWritten = (): Refusal =>
  refuse('store_unavailable', 'Nothing was written: the database cannot be reached. Try again in a moment.');

export const notConfirmed = (): Refusal =>
  refuse(
    'store_unavailable',
    'The database went away before it confirmed this write. Look whether it is there, or send it again with the same Idempotency-Key.',
  );
