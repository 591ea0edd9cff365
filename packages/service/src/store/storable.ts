/** What every store can keep: neither SQLite nor PostgreSQL gives back half a surrogate pair, and PostgreSQL no NUL. */
export const storable = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
