import type { RepositoryDetail, RepositoryView } from './contract.ts';
import { keyOf, type Repository, type RepositoryBook, unregistered } from './memory.ts';
import type { Mentions, PlannedNode } from './ports.ts';
import { suggestionsFor } from './suggestions.ts';

/** Everything that names a repository, joined once per read: the book, the plans, the trees. */
export type Atlas = {
  all(): Repository[];
  find(owner: string, name: string): Repository | undefined;
  view(repository: Repository): RepositoryView;
  detail(repository: Repository): RepositoryDetail;
};

type Mentioned = { nodes: PlannedNode[]; trees: string[] };

export function openAtlas(book: RepositoryBook, mentions: Mentions): Atlas {
  const nodes = [...mentions.nodes()];
  const mentioned = gather(nodes, mentions);
  const known = new Map([...book.all()].map((repository) => [keyOf(repository.owner, repository.name), repository]));
  for (const [key, { written }] of mentioned) {
    const [owner = '', name = ''] = written.split('/', 2);
    if (!known.has(key)) known.set(key, unregistered(owner, name));
  }
  const view = (repository: Repository): RepositoryView =>
    viewOf(repository, mentioned.get(keyOf(repository.owner, repository.name)));
  return {
    all: () => [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, repository]) => repository),
    find: (owner, name) => known.get(keyOf(owner, name)),
    view,
    detail: (repository) => ({
      ...view(repository),
      notes: repository.notes,
      suggestions: suggestionsFor(repository, book.all(), nodes),
    }),
  };
}

function gather(nodes: readonly PlannedNode[], mentions: Mentions): Map<string, Mentioned & { written: string }> {
  const mentioned = new Map<string, Mentioned & { written: string }>();
  const at = (written: string) => {
    const key = written.toLowerCase();
    const here = mentioned.get(key) ?? { written, nodes: [], trees: [] };
    mentioned.set(key, here);
    return here;
  };
  for (const node of nodes) if (node.repository !== null) at(node.repository).nodes.push(node);
  for (const { root, repository } of mentions.trees()) if (repository !== null) at(repository).trees.push(root);
  return mentioned;
}

function viewOf(
  { notes, ...repository }: Repository,
  { nodes, trees }: Mentioned = { nodes: [], trees: [] },
): RepositoryView {
  const { owner, name, description, url, defaultBranch, paths, publishes, consumes, suites, registeredAt, declaredAt } =
    repository;
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
    noteCount: notes.length,
    plans: [...new Set(nodes.map(({ plan }) => plan))].sort(),
    openNodes: nodes.filter(({ done }) => !done).length,
    trees: [...trees].sort(),
    registeredAt,
    declaredAt,
  };
}
