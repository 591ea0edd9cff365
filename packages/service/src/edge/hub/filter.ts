import { type Message, topicOf } from '../../kernel/messages.ts';

/** What a message is about, as far as a subscription can ask for it. Names in lower case. */
export type FilterTopic = { type: string; plan: string | undefined; runIds: readonly string[] };

/** Empty sets narrow nothing. */
export type MessageFilter = {
  types: ReadonlySet<string>;
  plans: ReadonlySet<string>;
  runIds: ReadonlySet<string>;
};

export function filterTopicOf(message: Message): FilterTopic {
  const { plan, runIds = [] } = topicOf(message);
  return { type: message.type, plan: plan?.toLowerCase(), runIds: runIds.map((runId) => runId.toLowerCase()) };
}

/** A subscription that names plans and runs gets what is about any of them; `types` narrows further. All get `reset`. */
export function matchesFilter({ types, plans, runIds }: MessageFilter, about: FilterTopic): boolean {
  if (about.type === 'reset') return true;
  if (types.size > 0 && !types.has(about.type)) return false;
  if (plans.size === 0 && runIds.size === 0) return true;
  if (about.plan !== undefined && plans.has(about.plan)) return true;
  return runIds.size > 0 && about.runIds.some((runId) => runIds.has(runId));
}
