import type { Announcements } from '../../kernel/announce.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { Chooser } from './choose.ts';
import type { Messenger, Outlook } from './ports.ts';

const lookMs = 2_000;

/** Listens to the feed and sends what a person wants to know. The feed's speaker waits for nothing here. */
export function watchForNotifications(parts: {
  announcements: Announcements;
  clock: Clock;
  messenger: Messenger;
  look: () => Promise<Outlook>;
}): () => void {
  const { announcements, clock, messenger, look } = parts;
  const chooser = new Chooser();
  const now = () => iso(clock.wall());
  let moved = true;
  const stopListening = announcements.listen(
    (message) => {
      if (message.type === 'plan_changed' || message.type === 'agents_changed') moved = true;
      for (const notification of chooser.heard(message, now())) messenger.send(notification);
    },
    (type) => type !== 'run_events',
  );
  const glance = async () => {
    if (!moved) return;
    moved = false;
    for (const notification of chooser.looked(await look(), now())) messenger.send(notification);
  };
  const stopLooking = clock.every(lookMs, glance);
  return () => {
    stopListening();
    stopLooking();
    messenger.stop();
  };
}
