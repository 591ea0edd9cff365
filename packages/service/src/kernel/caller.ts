/** Who calls, as far as its transport tells. */
export type Caller = {
  /** The program that calls, in the words of the board (`codex`, `claude-code`); null where it is not known. */
  client: string | null;
  /** The session that the program says it is. */
  session: string | null;
  /** The program's own id of this tool call: its session is the one whose records hold it. */
  toolCall: string | null;
  /** The name of the token that it was called with; null where it has none. */
  token: string | null;
};

export const unknownCaller: Caller = { client: null, session: null, toolCall: null, token: null };
