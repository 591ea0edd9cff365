import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readFileStart } from '../../../files/safe-file.ts';
import type { ProcessTable } from '../../../platform/processes.ts';
import type { RegistryEntry, SessionScan } from '../ports.ts';
import { livenessOf, type RunningProcesses } from '../process-liveness.ts';
import { parseRegistryFile, type RegistryFile } from '../registry-file.ts';
import { EndedProcesses } from './ended-processes.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';

export type RegistryScan = Pick<SessionScan, 'registry' | 'entries' | 'ended'> & { unreadable: boolean };

type CachedFile = {
  stamp: FileStamp;
  content: RegistryFile | 'broken' | 'empty';
  entry: RegistryEntry | null;
  /** Sessions that the same process served before. */
  formerIds: readonly string[];
  /** Its process was seen here: when it is missing, it ended. */
  wasHere: boolean;
};

const maxBytes = 64 * 1024;
const maxFormerIds = 20;
/** A file read in the middle of a write is complete by then. */
const retryMs = 150;

/** The live-process registry of Claude Code: `sessions/<pid>.json`, one small file per process. */
export function createClaudeRegistry(folder: string, processes: ProcessTable): { scan(): Promise<RegistryScan> } {
  const cache = new Map<number, CachedFile>();
  const ended = new EndedProcesses(processes);
  const pathOf = (pid: number) => join(folder, `${pid}.json`);

  async function refresh(pid: number): Promise<void> {
    const mark = await fileStampOf(pathOf(pid));
    if (!mark) {
      cache.delete(pid);
      return;
    }
    const cached = cache.get(pid);
    if (cached && cached.content !== 'broken' && isSameStamp(cached.stamp, mark)) return;
    const text = mark.isFile ? await readFileStart(pathOf(pid), maxBytes) : null;
    const content = text === null ? 'broken' : parseRegistryFile(pid, text);
    cache.set(pid, { stamp: mark, content, entry: null, formerIds: formerIdsOf(cached, content), wasHere: false });
  }

  const broken = () => [...cache].filter(([, { content: read }]) => read === 'broken').map(([pid]) => pid);

  return {
    async scan() {
      const names = await listFolder(folder);
      const none = { entries: [], ended: ended.all() };
      if (names === 'closed') return { ...none, registry: 'degraded', unreadable: true };
      if (names === 'missing') return { ...none, registry: 'unused', unreadable: false };
      const pids = names.files.flatMap((name) => /^([1-9]\d{0,9})\.json$/.exec(name)?.[1] ?? []).map(Number);
      const present = new Set(pids);
      for (const pid of cache.keys()) if (!present.has(pid)) cache.delete(pid);
      await forEachLimited(pids, 8, refresh);

      const living = await processes.startTimes(pids);
      const unread = () => broken().filter((pid) => living.has(pid));
      if (unread().length > 0) {
        await pause(retryMs);
        await forEachLimited(unread(), 8, refresh);
      }
      const legacyOnly = pids.length === 0 && names.files.some((name) => /^pid-\d+\.json$/.test(name));
      // A half-written file of a dead process identifies no process.
      const registry = legacyOnly ? 'unused' : unread().length > 0 ? 'degraded' : 'clean';
      const entries = entriesOf(cache, { living, own: processes.startFormat }, processes);
      await ended.check(new Map([...living].filter(([pid]) => cache.get(pid)?.entry?.liveness === 'live')));
      return { registry, entries, ended: ended.all(), unreadable: false };
    },
  };
}

/** After `/clear` or `/resume` the file of a process names another session. */
function formerIdsOf(before: CachedFile | undefined, content: CachedFile['content']): readonly string[] {
  if (!before || typeof before.content === 'string' || typeof content === 'string') return before?.formerIds ?? [];
  if (before.content.procStart !== content.procStart) return [];
  const { sessionId } = before.content;
  const former = before.formerIds.filter((id) => id !== content.sessionId && id !== sessionId);
  return sessionId === content.sessionId ? former : [...former, sessionId].slice(-maxFormerIds);
}

/** The same object again while neither the file nor its process changed. */
function entriesOf(
  cache: ReadonlyMap<number, CachedFile>,
  running: RunningProcesses,
  processes: Pick<ProcessTable, 'inOtherNamespaces'>,
): RegistryEntry[] {
  const found = [...cache.values()].flatMap((cached) => {
    if (typeof cached.content === 'string') return [];
    const { procStart, ...entry } = cached.content;
    const liveness = livenessOf(entry.pid, procStart, running);
    cached.wasHere ||= liveness === 'live';
    return [{ cached, entry, procStart, liveness }];
  });
  // A process that ended does not come back under the same start: it is looked for once.
  const missing = found.flatMap(({ cached, entry, procStart, liveness }) =>
    (liveness === 'dead' || liveness === 'reused') && !cached.wasHere && procStart !== null
      ? [[entry.pid, procStart] as const]
      : [],
  );
  const elsewhere = processes.inOtherNamespaces?.(new Map(missing)) ?? new Set();
  return found.map(({ cached, entry, liveness: seen }) => {
    const liveness = elsewhere.has(entry.pid) ? 'foreign' : seen;
    if (cached.entry?.liveness !== liveness) cached.entry = { ...entry, liveness, formerIds: cached.formerIds };
    return cached.entry;
  });
}
