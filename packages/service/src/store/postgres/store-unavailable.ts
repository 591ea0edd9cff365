import pg from 'pg';
import { errorMessage } from '../../kernel/error-code.ts';
import { type Refusal, RefusedError, refuse } from '../../kernel/outcome.ts';

/** The database cannot be reached, so what is asked cannot be read. */
export class StoreUnavailable extends RefusedError {
  constructor(options?: ErrorOptions) {
    super(refuse('store_unavailable', 'The database cannot be reached. Try again in a moment.'));
    this.name = 'StoreUnavailable';
    this.cause = options?.cause;
  }
}

/** The database had a different history from the folded one; everything has been folded again since. */
export class HistoryChanged extends StoreUnavailable {}

/** Connection lost, shutting down, out of resources, or a standby that accepts no writes: it may end by itself. */
const transientCodes = /^(08|53|57|25006)/;
/** A schema, table, column or function of ours is missing: the database is being restored or was replaced. */
const schemaGoneCodes = /^(3F000|42P01|42703|42883)$/;
/** Serialization failure, deadlock: nothing of the statement was stored. */
const rolledBackCodes = /^(40001|40P01)$/;

/** The same for a statement that was already running: PostgreSQL reports it as an internal error. */
const goneUnderWay = /^(cache lookup failed for|could not open relation with OID) /;

const hasCode = (fault: unknown, codes: RegExp): boolean =>
  fault instanceof pg.DatabaseError && codes.test(fault.code ?? '');

export const isSchemaGone = (fault: unknown): boolean =>
  hasCode(fault, schemaGoneCodes) || (hasCode(fault, /^XX000$/) && goneUnderWay.test(errorMessage(fault)));
export const isRolledBack = (fault: unknown): boolean => hasCode(fault, rolledBackCodes);

/** Turns a driver error into StoreUnavailable unless the statement itself was at fault. */
export const asStoreFault = (fault: unknown): unknown => {
  if (!(fault instanceof pg.DatabaseError)) return new StoreUnavailable({ cause: fault });
  const mayPass = hasCode(fault, transientCodes) || isSchemaGone(fault) || isRolledBack(fault);
  return mayPass ? new StoreUnavailable({ cause: fault }) : fault;
};

export const isUnavailable = (fault: unknown): fault is StoreUnavailable => fault instanceof StoreUnavailable;

export const notWritten = (): Refusal =>
  refuse('store_unavailable', 'Nothing was written: the database cannot be reached. Try again in a moment.');

export const notConfirmed = (): Refusal =>
  refuse(
    'store_unavailable',
    'The connection to the database was lost before it confirmed this write. Check whether the change was made, or repeat the call with the same Idempotency-Key.',
  );
