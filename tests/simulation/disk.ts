import type { Ledger, StampedEvent } from '../../packages/service/src/store/ledger.ts';
import { createMemoryLedger } from '../../testing/memory-log.ts';
import type { Random } from '../random.ts';

/** How one flush ends. `dies` and `keeps` end the process: before its events are on the disk, or after. */
export type Fate = 'good' | 'full' | 'broken' | 'dies' | 'keeps';

type Key = Parameters<Ledger['remember']>[0];

/** What survives a process: the events and keys of complete flushes. */
export class Disk {
  readonly events: StampedEvent[] = [];
  readonly keys = new Map<string, Key>();
  /** Chosen for every flush. */
  fateOf: () => Fate = () => 'good';
  /** How the flushes of the current process have ended. */
  last: Fate = 'good';
  alive = true;
  full = false;
}

class Failed extends Error {}

/** The store of one process on that disk. When the process is dead, nothing is written any more. */
export function openLedger(disk: Disk): Ledger {
  const memory = createMemoryLedger();
  for (const written of disk.events) memory.append(written);
  for (const key of disk.keys.values()) memory.remember(key);
  let [events, keys]: [StampedEvent[], Key[]] = [[], []];
  const keep = () => {
    disk.events.push(...events);
    for (const key of keys) disk.keys.set(key.key, key);
  };
  return {
    ...memory,
    begin() {
      if (!disk.alive) throw new Failed('dead');
      [events, keys] = [[], []];
      memory.begin();
    },
    append(written) {
      events.push(written);
      memory.append(written);
    },
    remember(key) {
      keys.push(key);
      memory.remember(key);
    },
    commit() {
      disk.last = disk.full ? 'full' : disk.fateOf();
      if (disk.last === 'good' || disk.last === 'keeps') keep();
      if (disk.last === 'good') return;
      if (disk.last === 'full') disk.full = true;
      if (disk.last === 'dies' || disk.last === 'keeps') disk.alive = false;
      throw new Failed(disk.last);
    },
    probe() {
      if (disk.full) throw new Failed('full');
    },
    isFatal: () => disk.last === 'broken' || !disk.alive,
  };
}

/** Mostly good; each seed has its own faults. */
export function fates(random: Random): () => Fate {
  const unlucky = random.pick<readonly Fate[]>([
    [],
    ['dies', 'keeps'],
    ['full'],
    ['broken'],
    ['full', 'broken', 'dies', 'keeps'],
  ]);
  const share = random.pick([0.02, 0.1, 0.3]);
  return () => (unlucky.length > 0 && random.chance(share) ? random.pick(unlucky) : 'good');
}
