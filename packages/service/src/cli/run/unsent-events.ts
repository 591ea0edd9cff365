import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../../files/plain-file.ts';

/** Names the folder in which a publisher keeps what it has not sent, for its process may end in the middle of a test. */
export const unsentVariable = 'SIGNALBOX_UNSENT';

const mostBytes = 64 * 1024 * 1024;

/** The events of this run that publishers of a command left unsent, as texts for a batch. */
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

/** The last line may be cut; and tests are anybody's code, which has no say in other runs. */
function isOf(line: string, runId: string): boolean {
  try {
    return (JSON.parse(line) as { runId?: unknown } | null)?.runId === runId;
  } catch {
    return false;
  }
}
