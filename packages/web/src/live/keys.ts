/** Names of what can be read; a shorter name stands for everything below it. */
export const keys = {
  mode: ['mode'],
  plans: ['plans'],
  archived: ['plans', 'archived'],
  plan: (slug: string) => ['plan', slug.toLowerCase()],
  ready: ['ready'],
  agents: ['agents'],
  session: (sessionId: string) => ['agents', sessionId],
  repositories: ['repositories'],
  /** Notes and claim notes that were searched for. */
  memory: ['memory'],
  runs: ['runs'],
  run: (runId: string) => ['run', runId],
  eventModel: ['event-model'],
} as const;
