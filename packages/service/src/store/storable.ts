/** Text that every store can keep: neither SQLite nor PostgreSQL can return half of a surrogate pair, and PostgreSQL cannot store NUL. */
export const storable = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
