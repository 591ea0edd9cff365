import { join } from 'node:path';
import { type Clock, iso } from '../../../kernel/clock.ts';
import { openSources, type Sources } from '../sources.ts';
import { factsOf } from '../verdicts.ts';
import { sourceFiles } from './source-files.ts';
import { openVerdictJournal, type VerdictJournal } from './verdict-journal.ts';

export type OpenedEventModel = {
  eventModel: Sources;
  verdicts: VerdictJournal;
  /** For every batch of a run's events, once they are durable. Only the ends of scenarios count. */
  observe(runId: string, events: readonly object[]): void;
  stop(): Promise<void>;
};

type Around = { dataPath: string; clock: Clock; say: (line: string) => void };
const flushMs = 1000;

/** The event model as the data path holds it; `say` is told what could not be used, and what to do. */
export async function openEventModel({ dataPath, clock, say }: Around): Promise<OpenedEventModel> {
  const { sources, ignored } = await openSources(sourceFiles(join(dataPath, 'event-models'), say));
  for (const { source, descriptor } of ignored) {
    const serving = sources.current()?.model.name ?? '';
    say(
      `event-models: source ${source} is left out: it names the model ${descriptor.name}, this console serves ${serving}.`,
    );
  }
  const verdicts = await openVerdictJournal(join(dataPath, 'verdicts.ndjson'), say);
  let dirty = false;
  const stopFlushing = clock.every(flushMs, async () => {
    if (!dirty) return;
    dirty = false;
    await verdicts.flush();
  });
  return {
    eventModel: sources,
    verdicts,
    observe(runId, events) {
      const facts = factsOf(runId, events, iso(clock.wall()));
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
