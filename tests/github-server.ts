import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Issue = {
  state: 'open' | 'closed';
  merged?: boolean;
  pull?: boolean;
  branch?: string;
  body?: string;
  commits?: string[];
  updatedAt: string;
  title?: string;
  milestone?: string;
  labels?: string[];
  subIssues?: number[];
  blockedBy?: number[];
};
type FailureMode = 'well' | 'limited' | 'later' | 'broken' | 'first page' | 'slow' | 'half-closed' | 'gone';

/** A server that answers like the GitHub REST API for one repository, with entity tags, pages and errors. */
export async function startGitHub(clock: { wall(): number }) {
  const issues = new Map<number, Issue>();
  const counts = { asked: 0, unchanged: 0 };
  let mood: FailureMode = 'well';
  const server = createServer((request, response) => {
    counts.asked += 1;
    const isSpoilt = mood === 'first page' ? /[?&]page=[2-9]/.test(request.url ?? '') : mood !== 'well';
    if (isSpoilt) return failAs(mood, response, clock.wall());
    answer(request, response, issues, () => {
      counts.unchanged += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    set(number: number, issue: Omit<Issue, 'updatedAt'>) {
      issues.set(number, { ...issue, updatedAt: new Date(clock.wall()).toISOString() });
    },
    feel(next: FailureMode) {
      mood = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function failAs(mood: FailureMode, response: ServerResponse, now: number): void {
  if (mood === 'slow') return;
  if (mood === 'half-closed')
    return void response.writeHead(200, { 'content-length': '1000' }).write('{"numb', () => response.destroy());
  const moods: { [Each in FailureMode]?: [number, Record<string, string>] } = {
    limited: [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(now / 1000) + 600) }],
    later: [429, { 'retry-after': new Date(now + 600_000).toUTCString() }],
    gone: [404, {}],
  };
  const [status, headers] = moods[mood] ?? [502, {}];
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}');
}

const wire = (
  number: number,
  { state, pull, merged, updatedAt, title, milestone, branch, body, labels = [] }: Issue,
) => ({
  number,
  state,
  title: title ?? `Issue ${number}`,
  milestone: milestone === undefined ? null : { title: milestone },
  labels: labels.map((name) => ({ name })),
  html_url: `https://github.example/acme/shop/issues/${number}`,
  updated_at: updatedAt,
  body: body ?? null,
  ...(branch === undefined ? {} : { head: { ref: branch, sha: `sha-${branch}` } }),
  ...(pull ? { merged_at: merged ? updatedAt : null, pull_request: { merged_at: merged ? updatedAt : null } } : {}),
});

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  issues: Map<number, Issue>,
  unchanged: () => void,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const related = /^\/repos\/acme\/shop\/issues\/(\d+)\/(sub_issues|dependencies\/blocked_by)$/.exec(pathname);
  if (related) {
    const { subIssues = [], blockedBy = [] } = issues.get(Number(related[1])) ?? {};
    const numbers = related[2] === 'sub_issues' ? subIssues : blockedBy;
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(numbers.map((number) => ({ number }))));
  }
  const [, ofPull] = /^\/repos\/acme\/shop\/pulls\/(\d+)\/commits$/.exec(pathname) ?? [];
  if (ofPull) {
    const commits = (issues.get(Number(ofPull))?.commits ?? []).map((message) => ({ commit: { message } }));
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(commits));
  }
  const isPulls = pathname === '/repos/acme/shop/pulls';
  const [, kind, one] = /^\/repos\/acme\/shop\/(issues|pulls)\/(\d+)$/.exec(pathname) ?? [];
  const named = one && issues.get(Number(one));
  const issue = named && (kind === 'issues' || named.pull) ? named : undefined;
  if (one ? !issue : pathname !== '/repos/acme/shop/issues' && !isPulls) return void response.writeHead(404).end('{}');
  const since = searchParams.get('since') ?? '';
  const page = Number(searchParams.get('page') ?? 1);
  const wantedState = searchParams.get('state') ?? 'open';
  const label = searchParams.get('labels');
  const head = searchParams.get('head');
  const all = [...issues]
    .filter(([, { pull }]) => !isPulls || pull)
    .filter(([, { branch }]) => head === null || head === `acme:${branch}`)
    .filter(([, { updatedAt }]) => updatedAt >= since)
    .filter(([, { state }]) => wantedState === 'all' || state === wantedState)
    .filter(([, { labels }]) => label === null || labels?.includes(label))
    .sort(([first, a], [second, b]) => (isPulls ? second - first : a.updatedAt < b.updatedAt ? 1 : -1));
  const body = JSON.stringify(
    issue
      ? { ...wire(Number(one), issue), ...(kind === 'pulls' && { pull_request: undefined }) }
      : all.slice((page - 1) * 100, page * 100).map(([number, each]) => ({
          ...wire(number, each),
          ...(isPulls && { pull_request: undefined }),
        })),
  );
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) {
    unchanged();
    return void response.writeHead(304, { etag }).end();
  }
  const link = !issue && all.length > page * 100 ? { link: '<http://x>; rel="next"' } : {};
  response.writeHead(200, { 'content-type': 'application/json', etag, ...link }).end(body);
}
