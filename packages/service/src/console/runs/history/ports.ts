/** The suite that a file of the history is about. */
export type HistorySuite = { repository: string | null; suite: string | null; repositoryName: string | null };

/** One file of lines for each suite. */
export type HistoryFiles = {
  /** Every suite that has a file. */
  suites(): Promise<readonly HistorySuite[]>;
  /** Its lines, many at a time; null when it has no file. */
  lines(suite: HistorySuite): Promise<AsyncIterable<readonly string[]> | null>;
  /** Adds a line, which makes the file where there is none; returns the size of the file. */
  append(suite: HistorySuite, line: string): Promise<number>;
  /** Writes the file anew in one step. */
  replace(suite: HistorySuite, lines: readonly string[]): Promise<void>;
  /** Deletes files that nothing was added to since that time. */
  deleteUnchanged(beforeMs: number): Promise<void>;
};
