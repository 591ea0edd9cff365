import type { Entry } from './entry.ts';
import { isLive } from './liveness.ts';

/** Archive bytes of ended runs whose folded events stay in memory. */
const keptBytes = 64 * 1024 * 1024;

/** Ended runs that nobody looked at lately leave memory; their archives know everything. */
export function forgetOld(entries: Iterable<Entry>): void {
  const loaded = [...entries].filter((entry) => entry.run && !isLive(entry));
  let bytes = loaded.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes <= keptBytes) return;
  loaded.sort((a, b) => a.usedAt - b.usedAt);
  for (const entry of loaded.slice(0, -1)) {
    if (bytes <= keptBytes) return;
    entry.run = null;
    bytes -= entry.bytes;
  }
}
