/** The parts of the API, in the order of the reference, each with the first words of its paths below `/api`. */
const tags = {
  work: { description: 'Find, claim, report on and hand in work', paths: ['plans/ready'] },
  plans: { description: 'Plans, their nodes and what proves them done', paths: ['plans'] },
  runs: { description: 'Test runs, suites and tests', paths: ['runs', 'suites', 'tests', 'ingest', 'run-tokens'] },
  'event model': { description: 'The event model that tests verify', paths: ['event-model'] },
  agents: { description: 'Agent sessions and working trees', paths: ['agents'] },
  needs: { description: 'What waits for a person', paths: ['needs'] },
  repositories: { description: 'Repositories and notes about them', paths: ['repositories', 'memory'] },
  messages: { description: 'Changes as they happen', paths: ['messages', 'socket'] },
  access: {
    description: 'Tokens, logins and the audit',
    paths: ['tokens', 'logins', 'login', 'logout', 'me', 'audit'],
  },
  service: { description: 'The service itself', paths: [] },
} as const satisfies Record<string, { description: string; paths: readonly string[] }>;

const ofNode = /^\/api\/plans\/\{plan\}\/nodes\/\{node\}\/(?:claim|report|release|split|withdraw|reset)$/;

/** The part that a path belongs to. */
export function tagOf(path: string): string {
  if (ofNode.test(path)) return 'work';
  const below = path.replace(/^\/api\//, '');
  const found = Object.entries(tags).find(([, { paths }]) =>
    paths.some((start) => below === start || below.startsWith(`${start}/`)),
  );
  return found?.[0] ?? 'service';
}

export function tagsOf(paths: readonly string[]): Array<{ name: string; description: string }> {
  const used = new Set(paths.map(tagOf));
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, { description }]) => ({ name, description }));
}
