import { createWebhook } from '../coordination/notify/io/webhook.ts';
import { watchForNotifications } from '../coordination/notify/watch.ts';
import { readWorkSnapshot, type SnapshotDeps } from '../coordination/notify/work-snapshot.ts';
import type { ServiceDeps } from './port.ts';

/** Sends notifications to `Service:Notify`, if set; returns a function that stops them. */
export function openNotify(
  { config, arrivals: { clock }, announcements, log, conditions }: ServiceDeps,
  work: SnapshotDeps,
): () => void {
  const { notify: url, notifySecret: secret, hostName: host } = config;
  if (url === undefined) return () => undefined;
  const sender = createWebhook({
    url,
    secret,
    host,
    warn: (text) => log.warn(text),
    onOutcome: (isDelivered) => conditions.notified(isDelivered),
  });
  return watchForNotifications({ announcements, clock, sender, readSnapshot: () => readWorkSnapshot(work) });
}
