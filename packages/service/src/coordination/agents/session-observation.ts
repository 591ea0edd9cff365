import type { SourceScan, Transcript } from './ports.ts';
import { bindProcesses, type ProcessBinding, type SessionStarts } from './process-binding.ts';

/** Everything that one poll found of one session. */
export type SessionObservation = {
  sessionId: string;
  scan: SourceScan;
  binding: ProcessBinding;
  transcript: Transcript | null;
};

const unbound: ProcessBinding = { entry: null, processes: 0, replaced: null, rebound: false, unclear: false };

/** All sessions of a poll, and known ones that it did not find; the last parameter gives the source of each known one. */
export function observeSessions(
  scans: readonly SourceScan[],
  starts: SessionStarts,
  previousSources: Iterable<readonly [string, string]>,
): Map<string, SessionObservation> {
  const all = new Map<string, SessionObservation>();
  const add = (observation: SessionObservation) => {
    const existing = all.get(observation.sessionId);
    if (!existing || isBetter(observation, existing)) all.set(observation.sessionId, observation);
  };
  for (const scan of scans) {
    // A directory that cannot be read says nothing about its sessions: they stay as they were.
    if (!scan.ok) continue;
    const bindings = bindProcesses(scan, starts);
    const withTranscript = new Set<string>();
    for (const transcript of scan.transcripts) {
      const { sessionId } = transcript;
      withTranscript.add(sessionId);
      add({ sessionId, scan, transcript, binding: bindings.get(sessionId) ?? unbound });
    }
    for (const [sessionId, binding] of bindings) {
      if (!withTranscript.has(sessionId)) add({ sessionId, scan, binding, transcript: null });
    }
  }
  for (const [sessionId, source] of previousSources) {
    if (all.has(sessionId)) continue;
    const scan = scans.find((one) => sourceKey(one) === source);
    if (scan?.ok) all.set(sessionId, { sessionId, scan, binding: unbound, transcript: null });
  }
  return all;
}

export const sourceKey = (scan: SourceScan) => `${scan.tool} ${scan.path}`;

const isBetter = (one: SessionObservation, other: SessionObservation): boolean =>
  one.binding.processes !== other.binding.processes
    ? one.binding.processes > other.binding.processes
    : (one.transcript?.lastAt ?? 0) > (other.transcript?.lastAt ?? 0);
