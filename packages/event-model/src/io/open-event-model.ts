import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { runCooperatively } from '../../../service/src/event-loop/cooperative.ts';
import type { Announcements } from '../../../service/src/kernel/announcements.ts';
import { type Clock, iso } from '../../../service/src/kernel/clock.ts';
import { createEventModelQueries, type EventModelQueries } from '../queries.ts';
import { openSources } from '../sources.ts';
import {
  createLatestVerdicts,
  finishedScenariosIn,
  newestOfBoth,
  type VerdictStore,
  type Verdicts,
} from '../verdicts.ts';
import { sourceFiles } from './source-files.ts';

export type OpenedEventModel = {
  queries: EventModelQueries;
  verdicts: Verdicts;
  /** Also counts the verdicts of other consoles. */
  joinWith(others: Verdicts): void;
  /** Called with every durable batch of events of a run. Only finished scenarios count. */
  observe(runId: string, events: readonly Readonly<Record<string, unknown>>[], receivedAt?: string): void;
};

type OpenEventModelDeps = {
  dataPath: string;
  /** The store of the newest verdicts. */
  store: VerdictStore;
  clock: Clock;
  announcements: Announcements;
  say: (line: string) => void;
  maxVerdictBytes?: number;
};

/** Bounds the memory: a publisher can name any number of scenarios, and all verdicts are read at start. */
const verdictsShareOfHeap = 1 / 8;

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
  const verdicts = loadVerdicts(deps);
  let joined: Verdicts = verdicts;
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
      for (const finished of finishedScenariosIn(runId, events, iso(clock.wall()), receivedAt)) {
        if (!verdicts.fold(finished)) continue;
        const newest = verdicts.newest(finished.uid);
        if (newest) deps.store.put(newest);
      }
    },
  };
}

function loadVerdicts({ store, say, maxVerdictBytes }: OpenEventModelDeps) {
  let isDropping = false;
  const maxBytes = maxVerdictBytes ?? getHeapStatistics().heap_size_limit * verdictsShareOfHeap;
  const verdicts = createLatestVerdicts(maxBytes, (identity) => {
    store.drop(identity);
    if (!isDropping)
      say(
        'The verdicts exceed their share of memory; the oldest were dropped. Run the suites again, or give Node a larger heap.',
      );
    isDropping = true;
  });
  for (const verdict of store.load()) verdicts.load(verdict);
  return verdicts;
}
