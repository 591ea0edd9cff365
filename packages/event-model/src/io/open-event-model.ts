import { join } from 'node:path';
import { runCooperatively } from '../../../service/src/event-loop/cooperative.ts';
import type { Announcements } from '../../../service/src/kernel/announcements.ts';
import { type Clock, iso } from '../../../service/src/kernel/clock.ts';
import { createEventModelQueries, type EventModelQueries } from '../queries.ts';
import { openSources } from '../sources.ts';
import { finishedScenariosIn, newestOfBoth, type Verdicts } from '../verdicts.ts';
import { sourceFiles } from './source-files.ts';
import { openVerdictJournal, type VerdictJournal } from './verdict-journal.ts';

export type OpenedEventModel = {
  queries: EventModelQueries;
  verdicts: VerdictJournal;
  /** Also counts the verdicts of other consoles. */
  joinWith(others: Verdicts): void;
  /** Called with every durable batch of events of a run. Only finished scenarios count. */
  observe(runId: string, events: readonly Readonly<Record<string, unknown>>[], receivedAt?: string): void;
  stop(): Promise<void>;
};

type OpenEventModelDeps = { dataPath: string; clock: Clock; announcements: Announcements; say: (line: string) => void };
const flushMs = 1000;
/** Opens the event model of a data path. `say` logs what could not be used and what to do about it. */
export async function openEventModel(deps: OpenEventModelDeps): Promise<OpenedEventModel> {
  const { dataPath, clock, announcements, say } = deps;
  const { sources, ignored } = await openSources(sourceFiles(join(dataPath, 'event-models'), say), runCooperatively);
  for (const { source, descriptor } of ignored) {
    const serving = sources.current()?.model.name ?? '';
    say(
      `event-models: source ${source} is left out: it names the model ${descriptor.name}, but this console serves ${serving}.`,
    );
  }
  const verdicts = await openVerdictJournal(join(dataPath, 'verdicts.ndjson'), say);
  let joined: Verdicts = verdicts;
  let isUnflushed = false;
  const stopFlushing = clock.every(flushMs, async () => {
    if (!isUnflushed) return;
    isUnflushed = false;
    await verdicts.flush().catch((fault: NodeJS.ErrnoException) => {
      say(`Verdicts could not be flushed to disk (${fault.code}). They survive a restart, but not a power failure.`);
    });
  });
  return {
    queries: createEventModelQueries({
      sources,
      verdicts: () => joined,
      announcements,
      clock,
      runTask: runCooperatively,
    }),
    verdicts,
    joinWith(others) {
      joined = newestOfBoth(verdicts, others);
    },
    observe(runId, events, receivedAt) {
      const finished = finishedScenariosIn(runId, events, iso(clock.wall()), receivedAt);
      if (finished.length === 0) return;
      isUnflushed = true;
      verdicts.observe(finished);
    },
    async stop() {
      stopFlushing();
      await verdicts.close();
    },
  };
}
