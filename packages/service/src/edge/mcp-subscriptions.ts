import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Announcements } from '../kernel/announcements.ts';
import type { MessageType } from '../kernel/message-types.ts';
import type { Message } from '../kernel/messages.ts';
import { planUri, runUri } from './mcp-resources.ts';

/** All plans, including archived ones. */
export type KnownPlans = {
  find(slug: string): { archivedAt: string | null } | undefined;
  all(): Iterable<{ slug: string; archivedAt: string | null }>;
};

const heard: ReadonlySet<MessageType> = new Set<MessageType>([
  'plan_changed',
  'claim_changed',
  'run_changed',
  'run_ejected',
  'reset',
]);

/** Announcements as changes of the resources to which clients subscribe. Without subscribers the announcers build no messages. */
export function resourceChanges(
  announcements: Announcements,
  plans: KnownPlans,
): { bus: ServerEventBus; stop: () => void } {
  const inner = new InMemoryServerEventBus();
  let listed = new Set<string>();
  const bus: ServerEventBus = {
    publish: (event) => inner.publish(event),
    subscribe(listener) {
      if (inner.listenerCount === 0) listed = activePlans(plans);
      return inner.subscribe(listener);
    },
  };
  const updated = (uri: string) => inner.publish({ kind: 'resource_updated', uri });
  const planChanged = (slug: string) => {
    updated(planUri(slug));
    const isActive = plans.find(slug)?.archivedAt === null;
    if (isActive === listed.has(slug)) return;
    if (isActive) listed.add(slug);
    else listed.delete(slug);
    inner.publish({ kind: 'resources_list_changed' });
  };
  /** Another history: any plan may have changed, and those that are not in it have gone. */
  const reset = () => {
    const known = new Set([...listed, ...[...plans.all()].map(({ slug }) => slug)]);
    listed = activePlans(plans);
    for (const slug of known) updated(planUri(slug));
    inner.publish({ kind: 'resources_list_changed' });
  };
  const hear = (message: Message) => {
    if (inner.listenerCount === 0) return;
    if (message.type === 'plan_changed') planChanged(message.data.slug);
    else if (message.type === 'claim_changed') updated(planUri(message.data.plan));
    else if (message.type === 'run_changed') updated(runUri(message.data.run.runId));
    else if (message.type === 'run_ejected') for (const runId of message.data.runIds) updated(runUri(runId));
    else if (message.type === 'reset') reset();
  };
  const stop = announcements.listen(hear, (type) => inner.listenerCount > 0 && heard.has(type));
  return { bus, stop };
}

const activePlans = (plans: KnownPlans): Set<string> =>
  new Set([...plans.all()].filter(({ archivedAt }) => archivedAt === null).map(({ slug }) => slug));
