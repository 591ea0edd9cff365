import type { PackageName, Suggestion } from './contract.ts';
import type { PlannedNode } from './ports.ts';
import { type Repository, repositoryKeyOf } from './repository-projection.ts';

const belongsTo = ({ owner, name }: Repository, repository: string | null | undefined): boolean =>
  repository?.toLowerCase() === repositoryKeyOf(owner, name);

/**
 * Edges suggested by published and consumed packages: the consumer waits for the publisher. Only between
 * nodes whose binding names it, only if the edge does not exist yet; nothing is added automatically.
 */
export function suggestionsFor(
  repository: Repository,
  all: Iterable<Repository>,
  nodes: readonly PlannedNode[],
): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const other of all) {
    for (const [publisher, consumer] of [
      [other, repository],
      [repository, other],
    ] as const) {
      for (const shared of sharedPackages(publisher, consumer)) {
        for (const edge of edgesFor(shared, publisher, consumer, nodes)) found.set(`${edge.from} ${edge.to}`, edge);
      }
    }
  }
  return [...found.values()].sort((a, b) => (`${a.to} ${a.from}` < `${b.to} ${b.from}` ? -1 : 1));
}

const sharedPackages = (publisher: Repository, consumer: Repository): PackageName[] =>
  publisher.publishes.filter(({ registry, name }) =>
    consumer.consumes.some((taken) => taken.registry === registry && taken.name.toLowerCase() === name.toLowerCase()),
  );

function* edgesFor(
  shared: PackageName,
  publisher: Repository,
  consumer: Repository,
  nodes: readonly PlannedNode[],
): Iterable<Suggestion> {
  const named = (name: string | undefined) => name?.toLowerCase() === shared.name.toLowerCase();
  const publishingNodes = nodes.filter(
    (node) =>
      belongsTo(publisher, node.repository) &&
      node.publishes?.registry === shared.registry &&
      named(node.publishes.name),
  );
  const consumingNodes = nodes.filter(({ takes }) => belongsTo(consumer, takes?.repository) && named(takes?.name));
  for (const from of publishingNodes) {
    for (const to of consumingNodes) {
      if (from.ref === to.ref || to.dependsOn.some((ref) => ref.toLowerCase() === from.ref.toLowerCase())) continue;
      const why = `${consumer.owner}/${consumer.name} consumes ${shared.name}, which ${publisher.owner}/${publisher.name} publishes`;
      yield { from: from.ref, to: to.ref, why };
    }
  }
}
