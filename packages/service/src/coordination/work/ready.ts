import type { Picture } from './picture.ts';

export type Narrow = {
  plan?: string | null | undefined;
  repository?: string | null | undefined;
  label?: string | null | undefined;
};

/** Ready nodes of all active plans, best first, narrowed to what was asked: nothing has an empty label. */
export function readyNodes(picture: Picture, { plan, repository, label }: Narrow): readonly number[] {
  const all = picture.standing.readyOrder();
  const slug = plan?.toLowerCase();
  const owner = repository?.toLowerCase();
  const word = label?.toLowerCase();
  if (slug === undefined && owner === undefined && word === undefined) return all;
  const { graph } = picture.plans;
  const only = slug === undefined ? undefined : picture.plans.find(slug);
  return all.filter((vertex) => {
    const node = graph.nodes[vertex];
    const of = graph.plans[vertex];
    if (slug !== undefined && of !== only) return false;
    if (owner !== undefined && (node?.repository ?? of?.repository)?.toLowerCase() !== owner) return false;
    return word === undefined || (node?.labels.some((each) => each.toLowerCase() === word) ?? false);
  });
}

/** The best that nobody holds; what nothing can prove done only when asked for. */
export function bestUnclaimed(
  picture: Picture,
  narrow: Narrow & { unbound?: boolean | null | undefined },
  now: string,
  isTaken: (vertex: number) => boolean = () => false,
): number | undefined {
  return readyNodes(picture, narrow).find(
    (vertex) =>
      picture.liveLease(vertex, now) === null &&
      !isTaken(vertex) &&
      (narrow.unbound === true || picture.plans.graph.nodes[vertex]?.binding !== null),
  );
}
