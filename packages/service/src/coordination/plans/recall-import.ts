import type { RecordedEvent } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { ImportReport } from './contract.ts';
import type { PlanEvent } from './events.ts';
import { type ImportRequest, importPlan } from './import-plan.ts';
import { PlanProjection } from './plan-projection.ts';

/**
 * The report of an import that was written while its answer was lost: the newest events that importing the same document
 * once more, into the plan as it was before them, would write. An import that changed nothing wrote none.
 */
export function recallImport(
  history: readonly RecordedEvent[],
  request: Omit<ImportRequest, 'claimOn' | 'claimStream' | 'force'>,
  by: string,
): ImportReport | undefined {
  const again = { ...request, force: true, claimOn: () => null, claimStream: () => '' };
  const batches = batchesOf(history);
  // An import that wrote nothing is looked for last: after each one the same document changes nothing.
  for (const at of [...batches.keys()].reverse().concat(batches.length)) {
    const past = new PlanProjection();
    for (const event of batches.slice(0, at).flat()) past.apply(event);
    const imported = importPlan(past, again);
    if (isRefusal(imported)) continue;
    const { authored, report } = imported;
    const written = at === batches.length ? [] : (batches[at] ?? []);
    const isTheirs = written.every((event) => event.by === by);
    if (isTheirs && textOf(authored.events) === textOf(written))
      return { ...report, version: written.at(-1)?.version ?? past.find(request.slug)?.version ?? 0 };
  }
  return undefined;
}

/** What was written in one step has one time and one author. */
function batchesOf(history: readonly RecordedEvent[]): StoredEvent<'plan'>[][] {
  const batches: StoredEvent<'plan'>[][] = [];
  for (const event of history) {
    if (!isStored(event, 'plan')) continue;
    const last = batches.at(-1);
    if (last?.[0] && last[0].at === event.at && last[0].by === event.by) last.push(event);
    else batches.push([event]);
  }
  return batches;
}

/** How the claim of a removed node ended is not the author's doing. */
const textOf = (events: readonly (PlanEvent | StoredEvent<'plan'>)[]): string =>
  JSON.stringify(
    events.map((event) => [event.type, event.type === 'node_removed' ? { id: event.data.id } : event.data]),
  );
