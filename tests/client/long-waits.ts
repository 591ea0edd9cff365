import type { Later } from '../../packages/service/src/client/later.ts';

/** Short waits are real; a wait of minutes ends when the test says so. */
export function longWaits() {
  const due = new Set<{ work: () => void; ms: number }>();
  const later: Later = (work, ms) => {
    if (ms < 1_000) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    }
    const entry = { work, ms };
    due.add(entry);
    return () => due.delete(entry);
  };
  return {
    later,
    waits: () => [...due].map(({ ms }) => ms),
    pass(ms: number) {
      for (const entry of [...due]) if (entry.ms <= ms && due.delete(entry)) entry.work();
    },
  };
}
