import type { RepositoryDetail, RepositoryView } from './contract.ts';
import type { Mentions, PlannedNode, WorkingTree } from './ports.ts';
import { type Repository, type RepositoryProjection, repositoryKeyOf, unregistered } from './repository-projection.ts';
import { suggestionsFor } from './suggestions.ts';

/** Everything that names a repository, joined once per read: registrations, plans, working trees. */
export type RepositoryCatalog = {
  all(): Repository[];
  find(owner: string, name: string): Repository | undefined;
  view(repository: Repository): RepositoryView;
  detail(repository: Repository): RepositoryDetail;
};

type MentionedIn = { nodes: PlannedNode[]; trees: WorkingTree[] };

export function openRepositoryCatalog(repositories: RepositoryProjection, mentions: Mentions): RepositoryCatalog {
  const nodes = [...mentions.nodes()];
  const mentioned = mentionsByRepository(nodes, mentions);
  const byKey = new Map(
    [...repositories.all()].map((repository) => [repositoryKeyOf(repository.owner, repository.name), repository]),
  );
  for (const [key, { written }] of mentioned) {
    const [owner = '', name = ''] = written.split('/', 2);
    if (!byKey.has(key)) byKey.set(key, unregistered(owner, name));
  }
  const view = (repository: Repository): RepositoryView =>
    viewOf(repository, mentioned.get(repositoryKeyOf(repository.owner, repository.name)));
  return {
    all: () => [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, repository]) => repository),
    find: (owner, name) => byKey.get(repositoryKeyOf(owner, name)),
    view,
    detail: (repository) => ({
      ...view(repository),
      notes: repository.notes,
      suggestions: suggestionsFor(repository, repositories.all(), nodes),
      workingTrees: (mentioned.get(repositoryKeyOf(repository.owner, repository.name))?.trees ?? []).toSorted(byPlace),
    }),
  };
}

const byPlace = (one: WorkingTree, other: WorkingTree): number =>
  one.host < other.host || (one.host === other.host && one.root < other.root) ? -1 : 1;

function mentionsByRepository(
  nodes: readonly PlannedNode[],
  mentions: Mentions,
): Map<string, MentionedIn & { written: string }> {
  const mentioned = new Map<string, MentionedIn & { written: string }>();
  const mentionsOf = (written: string) => {
    const key = written.toLowerCase();
    const found = mentioned.get(key) ?? { written, nodes: [], trees: [] };
    mentioned.set(key, found);
    return found;
  };
  for (const node of nodes) if (node.repository !== null) mentionsOf(node.repository).nodes.push(node);
  for (const { host, root, repository } of mentions.trees())
    if (repository !== null) mentionsOf(repository).trees.push({ host, root });
  return mentioned;
}

function viewOf(
  { notes, ...repository }: Repository,
  { nodes, trees }: MentionedIn = { nodes: [], trees: [] },
): RepositoryView {
  const {
    owner,
    name,
    description,
    url,
    defaultBranch,
    paths,
    publishes,
    consumes,
    suites,
    maxClaims,
    registeredAt,
    declaredAt,
  } = repository;
  return {
    owner,
    name,
    description,
    url,
    defaultBranch,
    paths: [...paths],
    publishes: [...publishes],
    consumes: [...consumes],
    suites: [...suites],
    maxClaims,
    noteCount: notes.length,
    plans: [...new Set(nodes.map(({ plan }) => plan))].sort(),
    openNodes: nodes.filter(({ done }) => !done).length,
    trees: trees.map(({ root }) => root).sort(),
    registeredAt,
    declaredAt,
  };
}
