import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Entry, Scan } from '../ports.ts';
import { parseRegistered, type Registered } from '../registry.ts';
import { eachOf, isSameMark, type Mark, markOf, namesIn } from './inside.ts';
import { readSmall } from './plain-file.ts';
import { livenessOf, type ProcessTable } from './process-table.ts';

export type RegistryScan = Pick<Scan, 'registry' | 'entries'> & { closed: boolean };

type Cached = { mark: Mark; read: Registered | 'broken' | 'empty'; entry: Entry | null };

const largest = 64 * 1024;
/** A file caught while it was being written is whole again by then. */
const retryMs = 150;

/** The live-process registry of Claude Code: `sessions/<pid>.json`, one small file per process. */
export function createClaudeRegistry(folder: string, processes: ProcessTable): { scan(): Promise<RegistryScan> } {
  const cache = new Map<number, Cached>();
  const pathOf = (pid: number) => join(folder, `${pid}.json`);

  async function refresh(pid: number): Promise<void> {
    const mark = await markOf(pathOf(pid));
    if (!mark) {
      cache.delete(pid);
      return;
    }
    const before = cache.get(pid);
    if (before && before.read !== 'broken' && isSameMark(before.mark, mark)) return;
    const text = mark.isFile ? await readSmall(pathOf(pid), largest) : null;
    cache.set(pid, { mark, read: text === null ? 'broken' : parseRegistered(pid, text), entry: null });
  }

  const broken = () => [...cache].filter(([, { read }]) => read === 'broken').map(([pid]) => pid);

  return {
    async scan() {
      const names = await namesIn(folder);
      if (names === 'closed') return { registry: 'degraded', entries: [], closed: true };
      if (names === 'missing') return { registry: 'unused', entries: [], closed: false };
      const pids = names.files.flatMap((name) => /^([1-9]\d{0,9})\.json$/.exec(name)?.[1] ?? []).map(Number);
      const there = new Set(pids);
      for (const pid of cache.keys()) if (!there.has(pid)) cache.delete(pid);
      await eachOf(pids, 8, refresh);

      const living = await processes.look(pids);
      const unread = () => broken().filter((pid) => living.has(pid));
      if (unread().length > 0) {
        await pause(retryMs);
        await eachOf(unread(), 8, refresh);
      }
      const legacyOnly = pids.length === 0 && names.files.some((name) => /^pid-\d+\.json$/.test(name));
      // A file that a dead process left half-written names nobody.
      const registry = legacyOnly ? 'unused' : unread().length > 0 ? 'degraded' : 'clean';
      return { registry, entries: entriesOf(cache, living), closed: false };
    },
  };
}

/** The same object again while neither the file nor its process changed. */
function entriesOf(cache: ReadonlyMap<number, Cached>, living: ReadonlyMap<number, string | null>): Entry[] {
  return [...cache.values()].flatMap((cached) => {
    if (typeof cached.read === 'string') return [];
    const { procStart, ...entry } = cached.read;
    const liveness = livenessOf(entry.pid, procStart, living);
    if (cached.entry?.liveness !== liveness) cached.entry = { ...entry, liveness };
    return [cached.entry];
  });
}
