import { join } from 'node:path';
import { z } from 'zod';
import { type RememberedObserver, rememberedObserver } from '../coordination/observers/contract.ts';
import type { Observers } from '../coordination/observers/observers.ts';
import { writeAtomically } from '../files/durable-file.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { coalesced } from '../kernel/coalesced.ts';
import type { ServiceDeps } from './port.ts';

const mostBytes = 64 * 1024 * 1024;
/** Observations change often and are sent again after a restart, so a crash may lose this much. */
const keepMs = 10_000;

const read = (path: string): RememberedObserver[] => {
  try {
    return z.array(rememberedObserver).parse(JSON.parse(readPlainFile(path, mostBytes).toString('utf8')));
  } catch {
    return [];
  }
};

/** The observers that this host knows, kept beside its store. An unreadable file counts as missing. */
export function observerFile({ config, clock, log }: ServiceDeps, observers: Observers) {
  const path = join(config.dataPath, 'observers.json');
  observers.recall(read(path), { wall: clock.wall(), monotonic: clock.monotonic() });
  let isDue = false;
  let keptAt = clock.monotonic();
  const writes = coalesced(async () => {
    isDue = false;
    keptAt = clock.monotonic();
    await writeAtomically(path, JSON.stringify(observers.remembered())).catch((err: unknown) =>
      log.warn({ err }, 'cannot store the observers'),
    );
  });
  return {
    /** An observer started or stopped: written immediately. */
    keep: () => writes.run(),
    /** The observations of one of them have changed. */
    markChanged(): void {
      isDue = true;
    },
    keepIfDue(): void {
      if (isDue && clock.monotonic() - keptAt >= keepMs) void writes.run();
    },
    async close(): Promise<void> {
      if (isDue) await writes.run();
      await writes.settled();
    },
  };
}
