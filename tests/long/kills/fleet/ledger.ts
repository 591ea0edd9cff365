import { appendFileSync, readFileSync } from 'node:fs';

/** The actions of the fleet in order: every process appends to one file. */
export type Entry = {
  /** The harness writes `killed` once the process is gone; `answered` is written once the release was answered. */
  what: 'begun' | 'ended' | 'answered' | 'killed';
  ref?: string;
  fence?: number;
  outcome?: string;
  pid: number;
};

export const note = (file: string, entry: Entry): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);

/** The last line may be incomplete if its process was killed while writing it. */
export const entriesOf = (file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry);

export type Executions = {
  /** How often the function of each node ran. */
  begun: Map<string, number>;
  /** How often a process was killed while the function of a node ran, or before its release was answered. */
  killed: Map<string, number>;
  /** Nodes that had two holders at once, or were worked on again after they were submitted. */
  wrong: string[];
};

export function executionsOf(entries: readonly Entry[]): Executions {
  const begun = new Map<string, number>();
  const killed = new Map<string, number>();
  const wrong: string[] = [];
  const running = new Map<string, Entry>();
  /** The last action of each process on each node: a killed process may not have released it. */
  const unanswered = new Map<string, Entry>();
  const handedIn = new Set<string>();
  const count = (counts: Map<string, number>, ref: string) => counts.set(ref, (counts.get(ref) ?? 0) + 1);
  for (const entry of entries) {
    const { what, pid } = entry;
    const ref = entry.ref ?? '';
    if (what === 'begun') {
      const other = running.get(ref);
      if (other) wrong.push(`${ref}: process ${pid} began while ${other.pid} worked on it`);
      if (handedIn.has(ref)) wrong.push(`${ref}: process ${pid} began after it was submitted`);
      running.set(ref, entry);
      unanswered.set(ref, entry);
      count(begun, ref);
    } else if (what === 'ended') running.delete(ref);
    else if (what === 'answered') {
      unanswered.delete(ref);
      if (entry.outcome === 'submitted') handedIn.add(ref);
    } else
      for (const [name, one] of [...unanswered])
        if (one.pid === pid) {
          running.delete(name);
          unanswered.delete(name);
          count(killed, name);
        }
  }
  return { begun, killed, wrong };
}
