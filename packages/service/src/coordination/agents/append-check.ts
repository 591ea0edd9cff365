import type { RegistryEntry, SessionScan } from './ports.ts';
import { sourceKey } from './session-observation.ts';

type PolledScans = { scans: readonly SessionScan[]; onlyChanged?: boolean; locationsChanged: boolean };

export const changedIn = (scans: readonly SessionScan[]): Set<string> =>
  new Set(scans.flatMap(({ changed }) => [...changed]));

/**
 * Whether a poll limited to changed sessions found only records appended to known sessions: the same
 * processes serve the same sessions, and every source could be read before and now.
 */
export function createAppendCheck() {
  let before = new Map<string, readonly RegistryEntry[]>();
  return {
    areAll({ scans, onlyChanged, locationsChanged }: PolledScans, isKnown: (sessionId: string) => boolean): boolean {
      const entries = new Map(scans.filter(({ ok }) => ok).map((scan) => [sourceKey(scan), scan.entries]));
      const isSame = (scan: SessionScan) => scan.ok && areSame(before.get(sourceKey(scan)), scan.entries);
      const areAppends =
        onlyChanged === true && !locationsChanged && scans.every(isSame) && [...changedIn(scans)].every(isKnown);
      before = entries;
      return areAppends;
    },
  };
}

const areSame = (before: readonly RegistryEntry[] | undefined, entries: readonly RegistryEntry[]): boolean =>
  before === entries ||
  (before?.length === entries.length && entries.every((entry, at) => isSameEntry(before[at], entry)));

const isSameEntry = (a: RegistryEntry | undefined, b: RegistryEntry): boolean =>
  a?.pid === b.pid &&
  a.sessionId === b.sessionId &&
  a.liveness === b.liveness &&
  a.status === b.status &&
  a.waitingFor === b.waitingFor &&
  a.statusUpdatedAt === b.statusUpdatedAt;
