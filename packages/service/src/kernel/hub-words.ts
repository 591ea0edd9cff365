/** What the hub sends. `reset` is its own: something was missed, so read everything again. */
export const messageTypes = [
  'plan_changed',
  'claim_changed',
  'agents_changed',
  'repository_changed',
  'run_changed',
  'run_events',
  'run_ejected',
  'event_model_changed',
  'reset',
] as const;
