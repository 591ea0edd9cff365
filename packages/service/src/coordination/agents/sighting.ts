import type { Scan, Transcript } from './ports.ts';
import { type Binding, bindingsOf, type Starts } from './rebind.ts';

/** Everything one look saw of one session. */
export type Sighting = { sessionId: string; scan: Scan; binding: Binding; transcript: Transcript | null };

const unbound: Binding = { entry: null, processes: 0, replaced: null, rebound: false, unclear: false };

/** All sessions of a look, and those known before that left no trace in it; `known` tells where each was seen. */
export function sightingsOf(
  scans: readonly Scan[],
  starts: Starts,
  known: Iterable<readonly [string, string]>,
): Map<string, Sighting> {
  const all = new Map<string, Sighting>();
  const add = (sighting: Sighting) => {
    const rival = all.get(sighting.sessionId);
    if (!rival || isBetter(sighting, rival)) all.set(sighting.sessionId, sighting);
  };
  for (const scan of scans) {
    // A directory that cannot be read says nothing about its sessions: they stay as they were.
    if (!scan.ok) continue;
    const bindings = bindingsOf(scan, starts);
    const written = new Set<string>();
    for (const transcript of scan.transcripts) {
      const { sessionId } = transcript;
      written.add(sessionId);
      add({ sessionId, scan, transcript, binding: bindings.get(sessionId) ?? unbound });
    }
    for (const [sessionId, binding] of bindings) {
      if (!written.has(sessionId)) add({ sessionId, scan, binding, transcript: null });
    }
  }
  for (const [sessionId, source] of known) {
    if (all.has(sessionId)) continue;
    const scan = scans.find((one) => sourceOf(one) === source);
    if (scan?.ok) all.set(sessionId, { sessionId, scan, binding: unbound, transcript: null });
  }
  return all;
}

export const sourceOf = (scan: Scan) => `${scan.tool} ${scan.path}`;

const isBetter = (one: Sighting, other: Sighting): boolean =>
  one.binding.processes !== other.binding.processes
    ? one.binding.processes > other.binding.processes
    : (one.transcript?.lastAt ?? 0) > (other.transcript?.lastAt ?? 0);
