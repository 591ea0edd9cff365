import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Opens a database that nobody writes to, such as a copy in a backup, so that no file is made beside it. */
export function openSqliteCopy(path: string): DatabaseSync {
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  try {
    return new DatabaseSync(address, { readOnly: true });
  } catch (fault) {
    // Node before 22.15 takes no address.
    if (!(fault instanceof TypeError && 'code' in fault && fault.code === 'ERR_INVALID_ARG_TYPE')) throw fault;
    return new DatabaseSync(path, { readOnly: true });
  }
}
