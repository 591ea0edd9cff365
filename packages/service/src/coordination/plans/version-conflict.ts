import type { RecordedEvent } from '../../kernel/event-log.ts';
import { Refusal, refuse } from '../../kernel/outcome.ts';
import { describeHistory } from './history.ts';

/** So many of the newest changes are told; the history has them all. */
const maxChanges = 20;

export const versionConflict = (slug: string, version: number): Refusal =>
  refuse(
    'version_conflict',
    version === 0
      ? `There is no plan ${slug}. Leave out If-Match and expectedVersion to make it.`
      : `The plan ${slug} is at version ${version}. Read it again, take up what changed, and send that version.`,
    { version },
  );

/** The same refusal, with what was changed after the version that the caller had read. */
export function withChangesSince(refusal: Refusal, version: number, events: readonly RecordedEvent[]): Refusal {
  const since = describeHistory(events).filter((entry) => entry.version > version);
  const changes = since.slice(-maxChanges).map(({ version: at, type, by, at: when, says }) => ({
    version: at,
    type,
    by,
    at: when,
    says,
  }));
  return new Refusal(refusal.code, refusal.detail, undefined, { ...refusal.extra, changes });
}
