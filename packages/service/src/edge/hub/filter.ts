import type { Announcement } from '../../kernel/announcements.ts';

/** What a message is about, as far as a subscription can ask for it. Names in lower case. */
export type MessageTopic = { type: string; plan: string | undefined; runIds: readonly string[] };

/** Empty sets narrow nothing. */
export type MessageFilter = {
  types: ReadonlySet<string>;
  plans: ReadonlySet<string>;
  runIds: ReadonlySet<string>;
};

type TopicData = {
  slug?: unknown;
  plan?: unknown;
  runId?: unknown;
  runIds?: unknown;
  run?: { runId?: unknown } | null;
};

const lower = (value: unknown): string[] => (typeof value === 'string' ? [value.toLowerCase()] : []);

export function topicOf({ type, data }: Announcement): MessageTopic {
  const { slug, plan, runId, runIds, run } = data as TopicData;
  switch (type) {
    case 'plan_changed':
      return { type, plan: lower(slug)[0], runIds: [] };
    case 'claim_changed':
      return { type, plan: lower(plan)[0], runIds: [] };
    case 'run_changed':
      return { type, plan: undefined, runIds: lower(run?.runId) };
    case 'run_events':
      return { type, plan: undefined, runIds: lower(runId) };
    case 'run_ejected':
      return { type, plan: undefined, runIds: Array.isArray(runIds) ? runIds.flatMap(lower) : [] };
    default:
      return { type, plan: undefined, runIds: [] };
  }
}

/** A subscription that names plans and runs gets what is about any of them; `types` narrows further. */
export function matchesFilter({ types, plans, runIds }: MessageFilter, about: MessageTopic): boolean {
  if (types.size > 0 && !types.has(about.type)) return false;
  if (plans.size === 0 && runIds.size === 0) return true;
  if (about.plan !== undefined && plans.has(about.plan)) return true;
  return runIds.size > 0 && about.runIds.some((runId) => runIds.has(runId));
}
