import type { RegistryEntry, ToolProcess, Transcript } from './ports.ts';

/** No tool writes sooner after its start, and start times are exact to a second: earlier writes belong to another process. */
const startupMs = 500;

/**
 * Which sessions the processes serve: per directory as many as it has processes, most recently written first. A session not written to since the
 * oldest process started is served by none.
 */
export function entriesByDirectory(
  processes: readonly ToolProcess[],
  transcripts: readonly Transcript[],
): RegistryEntry[] {
  return [...new Set(processes.map(({ cwd }) => cwd))].flatMap((cwd) => {
    const there = processes.filter((one) => one.cwd === cwd);
    const inOrder = there.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
    const since = (inOrder[0]?.startedAt ?? 0) + startupMs;
    const served = transcripts
      .filter((one) => one.cwd === cwd && !one.subagent && (one.lastAt ?? 0) >= since)
      .toSorted((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))
      .slice(0, inOrder.length)
      .toSorted((a, b) => (a.firstAt ?? 0) - (b.firstAt ?? 0));
    return served.map((transcript, at) => entryFor(inOrder[at]?.pid ?? 0, transcript));
  });
}

/** The sessions that each process was seen serving, in order: a process that begins another session has left the one before. */
export function createServedSessions(): (entries: readonly RegistryEntry[]) => RegistryEntry[] {
  let served: ReadonlyMap<number, readonly string[]> = new Map();
  return (entries) => {
    served = new Map(
      entries.map(({ pid, sessionId }) => [
        pid,
        [...(served.get(pid) ?? []).filter((id) => id !== sessionId), sessionId],
      ]),
    );
    return entries.map((entry) => ({ ...entry, formerIds: served.get(entry.pid)?.slice(0, -1) ?? [] }));
  };
}

/** A process found by its open files or directory: it is alive, but its turn is unknown. */
export const entryFor = (pid: number, { sessionId, cwd, firstAt }: Transcript): RegistryEntry => ({
  pid,
  sessionId,
  liveness: 'live',
  status: null,
  waitingFor: null,
  cwd,
  entrypoint: null,
  name: null,
  startedAt: firstAt,
  updatedAt: null,
  statusUpdatedAt: null,
  formerIds: [],
});

/** Some tools restart themselves, and a child is briefly a copy of its parent, so only the first process counts. */
export function withoutChildren<One extends { pid: number; parent?: number }>(processes: readonly One[]): One[] {
  const pids = new Set(processes.map(({ pid }) => pid));
  return processes.filter(({ parent }) => parent === undefined || !pids.has(parent));
}
