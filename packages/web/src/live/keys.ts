/** Names of what can be read; a shorter name stands for everything below it. */
export const keys = {
  mode: ['mode'],
  plans: ['plans'],
  archived: ['plans', 'archived'],
  plan: (slug: string) => ['plan', slug.toLowerCase()],
  ready: ['ready'],
  agents: ['agents'],
  repositories: ['repositories'],
  runs: ['runs'],
  run: (runId: string) => ['run', runId],
  eventModel: ['event-model'],
} as const;
