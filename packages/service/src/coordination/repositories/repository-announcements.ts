import type { RecordedEvent } from '../../kernel/event-log.ts';
import type { Announcement } from '../../kernel/messages.ts';
import { isStored } from '../stored-event.ts';

/** One announcement for each repository that a commit changed. */
export function repositoryAnnouncements(events: readonly RecordedEvent[]): Announcement[] {
  const changed = new Map<string, Announcement>();
  for (const event of events) {
    if (!isStored(event, 'repository')) continue;
    const { owner, name } = event.data;
    changed.set(event.stream, { type: 'repository_changed', data: { owner, name } });
  }
  return [...changed.values()];
}
