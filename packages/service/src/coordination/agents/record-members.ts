/** An ISO instant in milliseconds; null for anything else. */
export function millisecondsOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

/** A path, a branch or an id; longer than any of them is something else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 4096 ? value : null;

/** The name of a tool, never anything freer. */
export const toolNameOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : 'other';
