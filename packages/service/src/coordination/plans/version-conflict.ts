import type { RecordedEvent } from '../../kernel/event-log.ts';
import { Refusal, refuse } from '../../kernel/outcome.ts';
import { isStored } from '../stored-event.ts';
import { planSentence } from './event-sentences.ts';

/** How many of the newest changes are listed; the history has them all. */
const maxChanges = 20;

export const versionConflict = (slug: string, version: number): Refusal =>
  refuse(
    'version_conflict',
    version === 0
      ? `Unknown plan ${slug}. Leave out If-Match and expectedVersion to create it.`
      : `The plan ${slug} is at version ${version}. Read it again, take up what changed, and send that version.`,
    { version },
  );

/** The same refusal, with what was changed after the version that the caller had read. */
export function withChangesSince(refusal: Refusal, version: number, events: readonly RecordedEvent[]): Refusal {
  const changes = events.flatMap((event) => {
    if (event.version <= version || !isStored(event, 'plan')) return [];
    const { version: changedTo, type, by, at } = event;
    const says = planSentence(event);
    return says === undefined ? [] : [{ version: changedTo, type, by, at, says }];
  });
  return new Refusal(refusal.code, refusal.detail, undefined, {
    ...refusal.extra,
    changes: changes.slice(-maxChanges),
  });
}
