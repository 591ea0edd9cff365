import { foldEvent } from './fold.ts';
import type { Breathe } from './ports.ts';
import { readEvent } from './read-event.ts';
import { newRun, type Run } from './run.ts';

export type Replayed = { run: Run; lines: number; skipped: number };

/** Folds an archive line by line. A torn or corrupt line is skipped and counted; what stands around it is kept. */
export async function replayArchive(
  runId: string,
  lines: AsyncIterable<readonly string[]>,
  breathe: Breathe,
): Promise<Replayed> {
  const replayed: Replayed = { run: newRun(runId), lines: 0, skipped: 0 };
  for await (const group of lines) {
    for (const line of group) {
      replayLine(replayed, line);
      if (breathe.due()) await breathe.pause();
    }
  }
  return replayed;
}

function replayLine(replayed: Replayed, line: string): void {
  if (line.trim() === '') return;
  const taken = readLine(line);
  if (!taken || taken.runId !== replayed.run.runId) {
    replayed.skipped += 1;
    return;
  }
  replayed.lines += 1;
  if (taken.event) foldEvent(replayed.run, taken.event);
}

/** Null for a line that is no event. */
export function readLine(line: string) {
  try {
    const taken = readEvent(JSON.parse(line));
    return typeof taken === 'string' ? null : taken;
  } catch {
    return null;
  }
}
