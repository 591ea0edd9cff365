import type { Announcement } from '../../kernel/announce.ts';
import type { Recorded } from '../../kernel/event-log.ts';
import type { RepositoryEvent } from './events.ts';

/** Which repositories a commit changed, each told once. */
export function repositoriesChanged(events: readonly Recorded[]): Announcement[] {
  const changed = new Map<string, Announcement>();
  for (const event of events) {
    if (!event.stream.startsWith('repository:')) continue;
    const { owner, name } = (event as Recorded & RepositoryEvent).data;
    changed.set(event.stream, { type: 'repository_changed', subject: `${owner}/${name}`, data: { owner, name } });
  }
  return [...changed.values()];
}
