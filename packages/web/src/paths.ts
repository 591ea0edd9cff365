type Search = Readonly<Record<string, string | undefined>>;

function address(parts: readonly string[], search: Search = {}): string {
  const query = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `/${parts.map(encodeURIComponent).join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** The address of every page. `routes.tsx` matches `patterns`; the functions build links to them. */
export const patterns = {
  start: '/',
  today: '/today',
  plans: '/plans',
  plan: '/plans/:slug',
  ready: '/ready',
  agents: '/agents',
  session: '/agents/:sessionId',
  changes: '/changes',
  repositories: '/repositories',
  repository: '/repositories/:owner/:name',
  runs: '/runs',
  run: '/runs/:runId',
  test: '/runs/:runId/tests/:uid',
  tests: '/tests',
  eventModel: '/event-model',
  tokens: '/tokens',
  audit: '/audit',
  webhooks: '/webhooks',
  settings: '/settings',
} as const;

/** `owner/name` or `plan/node`. */
const halves = (text: string): [string, string] => {
  const slash = text.indexOf('/');
  return slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
};

export const paths = {
  start: patterns.start,
  today: patterns.today,
  plans: patterns.plans,
  ready: patterns.ready,
  agents: patterns.agents,
  agentsNeedingAttention: address(['agents'], { attention: '1' }),
  /** Lists narrowed to the items that a figure elsewhere counts. */
  liveSessions: address(['agents'], { by: 'session', state: 'live' }),
  claimed: address(['ready'], { state: 'claimed' }),
  readyOnly: address(['ready'], { state: 'ready' }),
  liveRuns: address(['runs'], { which: 'live' }),
  /** The runs of one suite alone. */
  runsOfSuite: (suite: string, repository: string) => address(['runs'], { suite, repository }),
  /** The differences of a run from another one. */
  comparison: (runId: string, since: string) => address(['runs', runId], { compare: since }),
  needs: (kind: string) => address([], { kind }),
  newPlan: address(['plans'], { do: 'new' }),
  importPlan: address(['plans'], { do: 'import' }),
  claimNext: address(['ready'], { do: 'claim' }),
  plansWithDone: address(['plans'], { state: 'done' }),
  sessionsIn: (state: string) => address(['agents'], { by: 'session', state }),
  treesThat: (only: 'contested' | 'cleanup') => address(['agents'], { only }),
  tree: (root: string) => address(['agents'], { tree: root }),
  planNodes: (slug: string, state: string) => address(['plans', slug], { view: 'table', state }),
  /** The changes of the live trees of a repository, with one path open. */
  changes: (repository?: string, path?: string) => address(['changes'], { repository, path }),
  repositories: patterns.repositories,
  runs: patterns.runs,
  eventModel: patterns.eventModel,
  tokens: patterns.tokens,
  audit: patterns.audit,
  webhooks: patterns.webhooks,
  settings: patterns.settings,
  plan: (slug: string) => address(['plans', slug]),
  node: (plan: string, node: string, view?: string) => address(['plans', plan], { node, view }),
  /** From `plan/node`. */
  nodeRef: (ref: string) => paths.node(...halves(ref)),
  session: (sessionId: string) => address(['agents', sessionId]),
  repository: (owner: string, name: string) => address(['repositories', owner, name]),
  /** From `owner/name`. */
  repositoryNamed: (fullName: string) => paths.repository(...halves(fullName)),
  run: (runId: string, scenario?: string) => address(['runs', runId], { scenario }),
  /** One test of a run, on its own page. */
  test: (runId: string, uid: string) => address(['runs', runId, 'tests', uid]),
  tests: (search: Search = {}) => address(['tests'], search),
} as const;
