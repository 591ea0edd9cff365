import type { SessionFacts } from '../agents/session-state.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { ChangedPath } from '../trees/changes.ts';
import type { ClaimOverlap, MergeRehearsal, Overlap, RepositoryChanges } from '../trees/contract.ts';
import { maxPairs, maxRehearsalMs, pairsToRehearse, type TreePair } from '../trees/merge-rehearsal.ts';
import type { OverlapIndex, SessionOverlap } from '../trees/overlap-index.ts';
import { type OverlapFacts, type TreeChanges, treeKey } from '../trees/overlaps.ts';
import type { OverlapBoard, RehearseMerge } from '../trees/ports.ts';
import { linkOf, overlapsBehind, type ViewContext } from './claim-session.ts';
import { liveClaims } from './parked.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

type Observed = {
  /** Only the trees of this host can be rehearsed. */
  host: string;
  rehearse: RehearseMerge;
  trees: () => readonly TreeFacts[];
  sessions: () => readonly SessionFacts[];
};

type OwnClaim = { ref: string; agent: string };
type TreeOwners = Pick<Overlap['trees'][number], 'sessions'> & { claims: OwnClaim[] };

/** Joins overlaps and changed paths with the sessions and claims behind their trees. */
export function createOverlapBoard(work: WorkContext, index: OverlapIndex, observed: Observed): OverlapBoard {
  return {
    list({ repository, ref }) {
      const owners = ownersOf(viewContextOf(work), observed);
      return index
        .all()
        .filter((one) => isOf(one, repository))
        .map((one) => viewOverlap(one, owners))
        .filter(({ trees }) => ref === undefined || trees.some(({ claims }) => claims.includes(ref.toLowerCase())));
    },
    async rehearse({ repository, of }) {
      const owners = ownersOf(viewContextOf(work), observed);
      const names = new Set(of?.split(',').map((name) => name.trim().toLowerCase()));
      const isNamed = (tree: TreeChanges) =>
        [tree.root, tree.branch ?? '', ...owners(tree).claims.map(({ ref }) => ref)].some((name) =>
          names.has(name.toLowerCase()),
        );
      const trees = index.changes().filter((one) => isOf(one, repository));
      const overlaps = index.all().filter((one) => isOf(one, repository));
      const pairs = pairsToRehearse(trees, overlaps, of === undefined ? null : isNamed);
      const items: MergeRehearsal[] = [];
      const until = work.clock.monotonic() + maxRehearsalMs;
      for (const pair of pairs.slice(0, maxPairs)) {
        if (work.clock.monotonic() > until) break;
        items.push(await rehearsePair(pair, owners, observed));
      }
      return { items, left: pairs.length - items.length };
    },
    changes(repository, limit) {
      const owners = ownersOf(viewContextOf(work), observed);
      const tools = new Map(observed.sessions().map(({ sessionId, tool }) => [sessionId, tool]));
      const groups = new Map<string, TreeChanges[]>();
      for (const tree of index.changes().filter((one) => isOf(one, repository)))
        groups.set(tree.repository, [...(groups.get(tree.repository) ?? []), tree]);
      return [...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, trees]) => ({
          repository: name,
          defaultBranch: trees.find(({ defaultBranch }) => defaultBranch !== null)?.defaultBranch ?? null,
          trees: trees.map((tree) => viewTree(tree, owners, tools, shownFiles(tree, index.ofTree(tree), limit))),
        }));
    },
  };
}

async function rehearsePair(
  pair: TreePair,
  owners: Owners,
  { host, rehearse }: Pick<Observed, 'host' | 'rehearse'>,
): Promise<MergeRehearsal> {
  const [one, other] = pair;
  const elsewhere = pair.find((tree) => tree.host !== host);
  const { uncommitted, ...rehearsed } = elsewhere
    ? {
        result: 'unknown' as const,
        reason: `${elsewhere.root} is on ${elsewhere.host}`,
        conflicts: [],
        uncommitted: [],
      }
    : await rehearse(one.root, other.root);
  const trees = pair.map((tree, at) => ({ ...viewOwners(tree, owners), uncommitted: uncommitted[at] ?? 0 }));
  return { repository: one.repository, trees, ...rehearsed };
}

function viewOwners({ host, root, branch }: TreeChanges, owners: Owners): Overlap['trees'][number] {
  const { sessions, claims } = owners({ host, root });
  return { host, root, branch, sessions, claims: claims.map(({ ref }) => ref) };
}

const isOf = (one: { repository: string }, repository: string | undefined): boolean =>
  repository === undefined || one.repository.toLowerCase() === repository.toLowerCase();

type Owners = (tree: Pick<TreeChanges, 'host' | 'root'>) => TreeOwners;

function ownersOf(view: ViewContext, { trees }: Pick<Observed, 'trees'>): Owners {
  const bySession = new Map<string, OwnClaim[]>();
  for (const { vertex, lease } of liveClaims(view)) {
    const { sessionId } = linkOf(view, vertex, lease);
    if (sessionId === null) continue;
    const claim = { ref: view.workState.plans.refOf(vertex), agent: lease.agent };
    bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), claim]);
  }
  const live = new Map(trees().map((tree) => [treeKey(tree), tree.live]));
  return (tree) => {
    const sessions = live.get(treeKey(tree)) ?? [];
    return { sessions: [...sessions], claims: sessions.flatMap((id) => bySession.get(id) ?? []) };
  };
}

function viewOverlap({ repository, path, kind, trees, since }: OverlapFacts, owners: Owners): Overlap {
  return {
    repository,
    path,
    kind,
    trees: trees.map((tree) => viewOwners(tree, owners)),
    since,
  };
}

function viewTree(
  tree: TreeChanges,
  owners: Owners,
  tools: ReadonlyMap<string, string>,
  shown: readonly ChangedPath[],
): RepositoryChanges['trees'][number] {
  const { truncated, paths } = tree;
  const { sessions, claims } = owners(tree);
  return {
    ...viewOwners(tree, owners),
    agents: [...new Set(claims.map(({ agent }) => agent))],
    tools: [...new Set(sessions.flatMap((id) => tools.get(id) ?? []))],
    changesTruncated: truncated,
    filesTotal: paths.length,
    files: shown.map(viewFile),
  };
}

/** Overlapping files first, so that the limit leaves out files that nobody else changes. */
function shownFiles({ paths }: TreeChanges, overlaps: readonly OverlapFacts[], limit: number): ChangedPath[] {
  const shared = new Set(overlaps.map(({ path }) => path));
  const rank = ({ path }: ChangedPath) => (shared.has(path) ? 0 : 1);
  return [...paths].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1)).slice(0, limit);
}

/** Line numbers of the newest common version: that of the default branch if it has changed the file since. */
const viewFile = ({ path, change, lines, in: texts, behindSince }: ChangedPath) => ({
  path,
  change,
  lines,
  ranges: (texts.at(-1)?.ranges ?? []).map(([after, to]) => ({ after, to })),
  behind: behindSince !== null,
});

const maxNamed = 5;

/** The files that others change too, for the answer to a claim or report; empty if there are none. */
export function overlapsForHolder(
  view: ViewContext,
  vertex: number,
): { overlaps?: ClaimOverlap[]; overlapsTotal?: number } {
  const lease = view.workState.liveLease(vertex, view.now);
  const found = lease ? overlapsBehind(view, vertex, lease) : [];
  if (found.length === 0) return {};
  const overlaps = found.slice(0, maxNamed).map((one) => {
    const { path, kind } = one.overlap;
    return { path, kind, with: nameOfOther(view, one) };
  });
  return { overlaps, overlapsTotal: found.length };
}

/** The node that another works on, else its branch or folder. */
export function nameOfOther(view: ViewContext, { overlap, others }: SessionOverlap): string {
  if (overlap.kind === 'behind') return overlap.trees[0]?.defaultBranch ?? 'the default branch';
  const sessions = new Set(others.flatMap((tree) => tree.sessions));
  const claim = liveClaims(view).find(({ vertex, lease }) => sessions.has(linkOf(view, vertex, lease).sessionId ?? ''));
  if (claim) return view.workState.plans.refOf(claim.vertex);
  const [other] = others;
  return other?.branch ?? other?.root ?? '';
}
