import type { Occurrence, OccurrenceType } from './occurrence.ts';

export const formats = ['cloudevents', 'slack', 'discord'] as const;
export type Format = (typeof formats)[number] | 'notify' | 'github';

/** The address from the settings. No other code creates one. */
export type Receiver = {
  /** Unchanged as long as name, address and format are unchanged. */
  id: string;
  name: string;
  url: string;
  /** The address without its path, because chat addresses contain a secret there. */
  shown: string;
  format: Format;
  /** Null for all. */
  events: ReadonlySet<OccurrenceType> | null;
  plans: readonly string[] | null;
  secret: string | undefined;
};

export function wants({ id, events, plans }: Receiver, { type, data }: Occurrence): boolean {
  if (id === 'github') return isForGitHub({ type, data }, events);
  if (type === 'test' || type === 'run_ended' || (events && !events.has(type))) return false;
  // A node that was never blocked needs no notification.
  if (id === 'notify' && type === 'node_ready') return data.from === 'blocked';
  return plans === null || (typeof data.plan === 'string' && plans.includes(data.plan.toLowerCase()));
}

/** Commit statuses, and with `events` comments on pull requests of nodes when their proof changes. */
function isForGitHub({ type, data }: Pick<Occurrence, 'type' | 'data'>, events: Receiver['events']): boolean {
  if (type === 'run_ended') return true;
  if (events === null || type === 'test' || !events.has(type) || typeof data.pullRequest !== 'string') return false;
  return type !== 'node_ready' || data.from === 'done' || data.from === 'failed' || data.from === 'submitted';
}
