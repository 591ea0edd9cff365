/** The extended result code of an error of SQLite; undefined for any other error. */
export const sqliteErrorCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

/** The primary code of an error of SQLite; 0 for any other error. */
export const sqliteCode = (error: unknown): number => (sqliteErrorCode(error) ?? 0) & 0xff;

/** SQLite found the damage before we did: a malformed image, or no database at all. */
export const isCorrupt = (error: unknown): boolean => [11, 26].includes(sqliteCode(error));
