/** The query keys; a shorter key matches every key that starts with it. */
export const queryKeys = {
  mode: ['mode'],
  plans: ['plans'],
  archived: ['plans', 'archived'],
  plan: (slug: string) => ['plan', slug.toLowerCase()],
  ready: ['ready'],
  agents: ['agents'],
  session: (sessionId: string) => ['agents', sessionId],
  repositories: ['repositories'],
  /** Searches in notes and claim notes. */
  memory: ['memory'],
  runs: ['runs'],
  run: (runId: string) => ['run', runId],
  eventModel: ['event-model'],
} as const;
