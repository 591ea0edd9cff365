import pg from 'pg';
import { expect, test } from 'vitest';
import { asStoreFault, isUnavailable } from '../../packages/service/src/store/postgres/store-unavailable.ts';

const faultOf = (message: string, code: string) => Object.assign(new pg.DatabaseError(message, 1, 'error'), { code });

test('the error of a statement whose schema was dropped is temporary; other internal errors are not', () => {
  for (const message of ['cache lookup failed for function 17599', 'could not open relation with OID 16411'])
    expect(isUnavailable(asStoreFault(faultOf(message, 'XX000'))), message).toBe(true);
  expect(isUnavailable(asStoreFault(faultOf('invalid page in block 3', 'XX001')))).toBe(false);
  expect(isUnavailable(asStoreFault(faultOf('unexpected state', 'XX000')))).toBe(false);
});
