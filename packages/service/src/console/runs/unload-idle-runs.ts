import type { BoardRun } from './board-run.ts';
import { isLive } from './liveness.ts';

/** Archive bytes of ended runs whose folded events stay in memory. */
const bytesInMemory = 64 * 1024 * 1024;

/** Drops the folded events of the least recently used ended runs, and returns those runs; their archives still hold them. */
export function unloadIdleRuns(boardRuns: Iterable<BoardRun>): BoardRun[] {
  const loaded = [...boardRuns].filter((boardRun) => boardRun.run && !isLive(boardRun));
  let bytes = loaded.reduce((sum, boardRun) => sum + boardRun.bytes, 0);
  const unloaded: BoardRun[] = [];
  if (bytes <= bytesInMemory) return unloaded;
  loaded.sort((a, b) => a.usedAt - b.usedAt);
  for (const boardRun of loaded.slice(0, -1)) {
    if (bytes <= bytesInMemory) break;
    boardRun.run = null;
    bytes -= boardRun.bytes;
    unloaded.push(boardRun);
  }
  return unloaded;
}
