import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../../files/plain-file.ts';

/** Names the folder where a publisher stores unsent events, because its process may end in the middle of a test. */
export const unsentVariable = 'SIGNALBOX_UNSENT';

const mostBytes = 64 * 1024 * 1024;

/** The unsent events of this run from publishers inside a command, as JSON texts for a batch. */
export function unsentEvents(folder: string, runId: string): string[] {
  return readdirSync(folder).flatMap((name) => linesOf(join(folder, name)).filter((line) => isOf(line, runId)));
}

function linesOf(file: string): string[] {
  try {
    return readPlainFile(file, mostBytes).toString('utf8').split('\n');
  } catch {
    return [];
  }
}

/** The last line may be cut off; and tests are untrusted, so events of other runs are ignored. */
function isOf(line: string, runId: string): boolean {
  try {
    return (JSON.parse(line) as { runId?: unknown } | null)?.runId === runId;
  } catch {
    return false;
  }
}
