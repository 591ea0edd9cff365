import type { RegistryEntry, Transcript } from './ports.ts';
import { entryFor } from './processes-by-directory.ts';

/** A running process of Codex, and the rollouts that it holds open. */
export type CodexProcess = {
  pid: number;
  cwd: string | null;
  startedAt: number | null;
  args: readonly string[];
  rollouts: readonly Transcript[];
};

/** A desktop server keeps the files of old sessions open: only the recently written ones are live. */
const freshMs = 30 * 60_000;

/** A server serves sessions of other processes, and outlives them. */
const isServer = ({ args }: CodexProcess) => args.includes('app-server');
/** The server that the terminal interface starts for itself: without a terminal nobody uses its sessions. */
const isTerminalServer = (one: CodexProcess) => isServer(one) && one.args.includes('--managed-daemon');

/**
 * Which process serves which session. A session on a shared server lives as long as its terminal, which is found by its
 * directory, or while a turn is open. `hadTerminal` contains the sessions whose terminal was seen.
 */
export function codexEntries(
  processes: readonly CodexProcess[],
  hadTerminal: Set<string>,
  now: number,
): RegistryEntry[] {
  const terminals = processes.filter((one) => !isServer(one) && one.rollouts.length === 0);
  return processes.flatMap((one) => {
    const { rollouts } = one;
    const isFresh = ({ lastAt }: Transcript) => now - (lastAt ?? 0) < freshMs;
    const fresh = rollouts.length === 1 ? rollouts : rollouts.filter(isFresh);
    if (!isServer(one)) return fresh.map((transcript) => entryFor(one.pid, transcript));
    const served = terminalOfEach(rollouts, terminals);
    for (const { sessionId } of served.keys()) hadTerminal.add(sessionId);
    return rollouts.flatMap((transcript) => {
      const terminal = served.get(transcript);
      if (terminal) return [entryFor(terminal.pid, transcript)];
      const left = isTerminalServer(one) || hadTerminal.has(transcript.sessionId);
      const lives = left ? transcript.turn.state === 'open' : fresh.includes(transcript);
      return lives ? [entryFor(one.pid, transcript)] : [];
    });
  });
}

/** The newest session of a directory belongs to the newest terminal there, and so on. */
function terminalOfEach(
  rollouts: readonly Transcript[],
  terminals: readonly CodexProcess[],
): Map<Transcript, CodexProcess> {
  const free = [...terminals].sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0));
  const found = new Map<Transcript, CodexProcess>();
  for (const transcript of [...rollouts].sort((a, b) => (b.firstAt ?? 0) - (a.firstAt ?? 0))) {
    const at = free.findIndex(({ cwd }) => cwd !== null && (cwd === transcript.launchCwd || cwd === transcript.cwd));
    const [terminal] = at < 0 ? [] : free.splice(at, 1);
    if (terminal) found.set(transcript, terminal);
  }
  return found;
}
