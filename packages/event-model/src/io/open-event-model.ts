import { join } from 'node:path';
import { waitForTurn } from '../../../service/src/event-loop/time-budget.ts';
import type { Announcements } from '../../../service/src/kernel/announcements.ts';
import { type Clock, iso } from '../../../service/src/kernel/clock.ts';
import { createInTurns } from '../../../service/src/kernel/in-turns.ts';
import { createEventModelQueries, type EventModelQueries } from '../queries.ts';
import { openSources } from '../sources.ts';
import { finishedScenariosIn, newestOfBoth, type Verdicts } from '../verdicts.ts';
import { sourceFiles } from './source-files.ts';
import { openVerdictJournal, type VerdictJournal } from './verdict-journal.ts';

export type OpenedEventModel = {
  queries: EventModelQueries;
  verdicts: VerdictJournal;
  /** Lets the verdicts of other consoles count as well. */
  joinWith(others: Verdicts): void;
  /** For every batch of a run's events, once they are durable. Only the ends of scenarios count. */
  observe(runId: string, events: readonly Readonly<Record<string, unknown>>[], receivedAt?: string): void;
  stop(): Promise<void>;
};

type OpenEventModelDeps = { dataPath: string; clock: Clock; announcements: Announcements; say: (line: string) => void };
const flushMs = 1000;
const inTurns = createInTurns(waitForTurn);

/** The event model as the data path holds it; `say` is told what could not be used, and what to do. */
export async function openEventModel(deps: OpenEventModelDeps): Promise<OpenedEventModel> {
  const { dataPath, clock, announcements, say } = deps;
  const { sources, ignored } = await openSources(sourceFiles(join(dataPath, 'event-models'), say), inTurns);
  for (const { source, descriptor } of ignored) {
    const serving = sources.current()?.model.name ?? '';
    say(
      `event-models: source ${source} is left out: it names the model ${descriptor.name}, this console serves ${serving}.`,
    );
  }
  const verdicts = await openVerdictJournal(join(dataPath, 'verdicts.ndjson'), say);
  let joined: Verdicts = verdicts;
  let dirty = false;
  const stopFlushing = clock.every(flushMs, async () => {
    if (!dirty) return;
    dirty = false;
    await verdicts.flush().catch((fault: NodeJS.ErrnoException) => {
      say(
        `The kept verdicts cannot be flushed to the disk (${fault.code}); they outlive this process, but no power cut.`,
      );
    });
  });
  return {
    queries: createEventModelQueries({ sources, verdicts: () => joined, announcements, clock, inTurns }),
    verdicts,
    joinWith(elsewhere) {
      joined = newestOfBoth(verdicts, elsewhere);
    },
    observe(runId, events, receivedAt) {
      const facts = finishedScenariosIn(runId, events, iso(clock.wall()), receivedAt);
      if (facts.length === 0) return;
      dirty = true;
      verdicts.observe(facts);
    },
    async stop() {
      stopFlushing();
      await verdicts.close();
    },
  };
}
