import { foldEvent } from './fold.ts';
import { type TimeBudget, unknownWeight } from './ports.ts';
import { type ParsedEvent, readEvent } from './read-event.ts';
import { foldStamp, newRun, type Run, type RunStamp } from './run.ts';

const longLine = 4096;

/** `lines` counts events; if it is 0 the run does not exist, even if it has a stamp. */
export type ReplayedRun = { run: Run; lines: number; skipped: number };

/** Folds an archive line by line, with the stamp of its run. A torn or corrupt line is skipped and counted; the other lines count. */
export async function replayArchive(
  runId: string,
  lines: AsyncIterable<readonly string[]>,
  timeBudget: TimeBudget,
  stamp: RunStamp = {},
): Promise<ReplayedRun> {
  const replayed: ReplayedRun = { run: newRun(runId), lines: 0, skipped: 0 };
  foldStamp(replayed.run, stamp);
  for await (const group of lines) {
    for (const line of group) {
      // Checked before the line, because a turn may handle lines of many archives.
      if (timeBudget.isSpent(line.length > longLine ? unknownWeight : 1)) await timeBudget.pause();
      replayLine(replayed, line);
    }
  }
  return replayed;
}

function replayLine(replayed: ReplayedRun, line: string): void {
  if (line.trim() === '') return;
  const parsed = readLine(line);
  if (!parsed || parsed.runId !== replayed.run.runId) {
    replayed.skipped += 1;
    return;
  }
  if (!parsed.stamp) replayed.lines += 1;
  foldLine(replayed.run, parsed);
}

/** An archive without any stamp was written before stamps existed. */
function foldLine(run: Run, { event, stamp }: ParsedEvent): void {
  if (stamp) foldStamp(run, stamp);
  else if (run.receivedAt === null) run.fromBeforeStamps = true;
  if (event) foldEvent(run, event);
}

/** Null for a line that is not an event. */
export function readLine(line: string) {
  try {
    // An archive written in an editor may begin with a byte order mark.
    const parsed = readEvent(JSON.parse(line.startsWith('\uFEFF') ? line.slice(1) : line));
    return typeof parsed === 'string' ? null : parsed;
  } catch {
    return null;
  }
}
