import type { Announcements } from '../../kernel/announcements.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import type { NotificationSender, WorkSnapshot } from './ports.ts';
import { NotificationSelector } from './select-notifications.ts';

const pollMs = 2_000;

/** Listens to the hub messages and sends notifications. Announcing never waits for it. */
export function watchForNotifications(deps: {
  announcements: Announcements;
  clock: Clock;
  sender: NotificationSender;
  readSnapshot: () => WorkSnapshot;
}): () => void {
  const { announcements, clock, sender: messenger, readSnapshot } = deps;
  const selector = new NotificationSelector();
  const now = () => iso(clock.wall());
  let hasChanged = true;
  const stopListening = announcements.listen(
    (message) => {
      if (message.type === 'plan_changed' || message.type === 'agents_changed') hasChanged = true;
      for (const notification of selector.fromMessage(message, now())) messenger.send(notification);
    },
    (type) => type !== 'run_events',
  );
  const poll = () => {
    if (!hasChanged) return;
    hasChanged = false;
    for (const notification of selector.fromSnapshot(readSnapshot(), now())) messenger.send(notification);
  };
  const stopPolling = clock.every(pollMs, poll);
  return () => {
    stopListening();
    stopPolling();
    messenger.stop();
  };
}
