import { isObject } from '../../kernel/is-object.ts';

/**
 * The state of the newest turn of a session. `detail` is the tool in use or the cause of the stop, in the vocabulary of the
 * program, never anything that was typed, read or written in the session.
 */
export type Turn = { state: 'open' | 'closed' | 'unclear' | 'none'; detail: string; waiting: boolean };

export const noTurn: Turn = { state: 'none', detail: 'no_turn', waiting: false };
export const openTurn = (detail: string, waiting = false): Turn => ({ state: 'open', detail, waiting });
export const closedTurn = (detail: string): Turn => ({ state: 'closed', detail, waiting: false });
export const unclearTurn = (detail: string): Turn => ({ state: 'unclear', detail, waiting: false });

export type TranscriptRecord = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): TranscriptRecord | null => (isObject(value) ? value : null);

/** A word of a closed vocabulary, as programs write them; any other text is not passed on. */
export const vocabularyWord = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z][a-z_]{0,39}$/i.test(value) ? value : null;

/** An ISO instant in milliseconds; null for anything else. */
export function millisecondsOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

/** A path, a branch or an id; a longer text is none of these. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 4096 ? value : null;

/** The name of a tool that an agent calls, never any other text. */
export const toolNameOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : 'other';
