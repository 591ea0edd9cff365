/** The types of hub messages, without schemas so that a browser can load them. `messages.ts` defines what each one carries. */
export const messageTypes = [
  'plan_changed',
  'claim_changed',
  'agents_changed',
  'overlap_changed',
  'repository_changed',
  'run_changed',
  'run_events',
  'run_ejected',
  'event_model_changed',
  'store_changed',
  'reset',
] as const;

export type MessageType = (typeof messageTypes)[number];

export const isMessageType = (text: string): text is MessageType => messageTypes.some((type) => type === text);
