/** A word as a POSIX shell takes it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A name as the pattern that fits it and nothing else. */
export const pattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
