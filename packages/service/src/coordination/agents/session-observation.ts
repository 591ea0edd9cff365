import type { SessionScan, ToolProcess, Transcript } from './ports.ts';
import { bindProcesses, type ProcessBinding, type SessionStarts } from './process-binding.ts';

/** Everything that one poll found of one session. */
export type SessionObservation = {
  sessionId: string;
  scan: SessionScan;
  binding: ProcessBinding;
  transcript: Transcript | null;
  /** Where no registry names it: the only process in its directory that can be the one that writes it. */
  process: ToolProcess | null;
};

const unbound: ProcessBinding = { entry: null, processes: 0, replaced: null, rebound: false, unclear: false };

export const sourceKey = (scan: Pick<SessionScan, 'tool' | 'path'>) => `${scan.tool} ${scan.path}`;

/** What the processes of each source serve. */
export type BindingsBySource = ReadonlyMap<string, ReadonlyMap<string, ProcessBinding>>;

export type PollObservations = {
  bindings: BindingsBySource;
  /** Sessions for which this poll found a process or a registry entry. */
  named: ReadonlySet<string>;
  /** What the poll found of one session; undefined where nothing could be read of the source it came from. */
  of(sessionId: string, previousSource: string | undefined): SessionObservation | undefined;
};

/** Joins scans session by session, on demand: most sessions did not change. `known` are bindings that still hold. */
export function observationsOf(
  scans: readonly SessionScan[],
  starts: SessionStarts,
  known: BindingsBySource = new Map(),
): PollObservations {
  // If a directory cannot be read, its sessions keep their state.
  const readable = scans
    .filter(({ ok }) => ok)
    .map((scan) => ({
      scan,
      bindings: known.get(sourceKey(scan)) ?? bindProcesses(scan, starts),
      processOf: processFinder(scan),
    }));
  return {
    bindings: new Map(readable.map(({ scan, bindings }) => [sourceKey(scan), bindings])),
    named: new Set(readable.flatMap(({ bindings }) => [...bindings.keys()])),
    of(sessionId, previousSource) {
      let best: SessionObservation | undefined;
      for (const { scan, bindings, processOf } of readable) {
        const transcript = scan.transcripts.get(sessionId) ?? null;
        const binding = bindings.get(sessionId);
        if (!transcript && !binding) continue;
        const process = processOf(transcript);
        const observation = { sessionId, scan, transcript, binding: binding ?? unbound, process };
        if (!best || isBetter(observation, best)) best = observation;
      }
      if (best) return best;
      const scan = readable.find((one) => sourceKey(one.scan) === previousSource)?.scan;
      return scan && { sessionId, scan, binding: unbound, transcript: null, process: null };
    },
  };
}

const isBetter = (one: SessionObservation, other: SessionObservation): boolean =>
  one.binding.processes !== other.binding.processes
    ? one.binding.processes > other.binding.processes
    : (one.transcript?.lastAt ?? 0) > (other.transcript?.lastAt ?? 0);

/** Start times are exact to a hundredth of a second at best. */
const startSlackMs = 2_000;

/** Without a registry a process is tied to the newest session of its directory, if it is the only process there. */
function processFinder({ registry, processes, transcripts }: SessionScan) {
  if (registry !== 'unused' || processes.length === 0) return () => null;
  const newestByCwd = new Map<string, Transcript>();
  for (const transcript of transcripts.values()) {
    const { cwd, lastAt } = transcript;
    if (cwd !== null && (lastAt ?? 0) > (newestByCwd.get(cwd)?.lastAt ?? -1)) newestByCwd.set(cwd, transcript);
  }
  return (transcript: Transcript | null): ToolProcess | null => {
    if (!transcript?.cwd || newestByCwd.get(transcript.cwd) !== transcript) return null;
    const [only, ...others] = processes.filter(({ cwd }) => cwd === transcript.cwd);
    if (!only || others.length > 0) return null;
    // One that started after the last record has not written here yet, and may begin a session of its own.
    return only.startedAt === null || (transcript.lastAt ?? 0) >= only.startedAt - startSlackMs ? only : null;
  };
}
