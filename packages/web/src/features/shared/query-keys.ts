/** The query keys; a shorter key matches every key that starts with it. */
export const queryKeys = {
  mode: ['mode'],
  me: ['me'],
  readiness: ['readiness'],
  tokens: ['tokens'],
  audit: ['audit'],
  webhooks: ['webhooks'],
  licence: ['licence'],
  needs: ['needs'],
  today: ['today'],
  lastHour: ['last-hour'],
  plans: ['plans'],
  plan: (slug: string) => ['plan', slug.toLowerCase()] as const,
  burnUp: ['burn-up'],
  simulation: ['simulation'],
  ready: ['ready'],
  agents: ['agents'],
  session: (sessionId: string) => ['agents', sessionId] as const,
  /** Uncommitted and unpushed work in a tree. */
  unsaved: (root: string) => ['unsaved', root] as const,
  /** Files that live trees change, and where they overlap. */
  changes: ['changes'],
  /** The result of a rehearsed merge of overlapping trees. */
  rehearsal: ['rehearsal'],
  repositories: ['repositories'],
  /** Searches in notes and claim notes. */
  memory: ['memory'],
  /** Results of tests, by repository, suite and test. */
  tests: ['tests'],
  suites: ['suites'],
  runs: ['runs'],
  /** The pages of the list of runs. */
  runPages: ['run-pages'],
  run: (runId: string) => ['run', runId] as const,
  eventModel: ['event-model'],
  /** The story of a demo. */
  story: ['story'],
} as const;
