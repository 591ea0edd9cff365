/**
 * Puts nodes of the same group into one block each, so that no two blocks wait for each other: where work of a group
 * waits for other work that waits for the group, the group is cut into blocks that follow each other. Returns the
 * number of each node's block, which is the number of the first node in it.
 */
export function blocksOf(
  needs: readonly (readonly number[])[],
  groups: readonly (string | null)[],
): { blockOf: readonly number[]; sizes: ReadonlyMap<number, number> } {
  const members = new Map<string, number>();
  for (const group of groups) if (group !== null) members.set(group, (members.get(group) ?? 0) + 1);
  let blockOf = needs.map((_, number) => number);
  for (const group of [...members.keys()].sort())
    if ((members.get(group) ?? 0) > 1) blockOf = contracted(needs, blockOf, (number) => groups[number] === group);
  const sizes = new Map<number, number>();
  for (const block of blockOf) sizes.set(block, (sizes.get(block) ?? 0) + 1);
  return { blockOf, sizes };
}

/**
 * Members form one block as long as no path leads out of the group and back: a path that leaves the group gets the
 * next number, and members with the same number belong together. Numbers never decrease along a path, so no cycle can form.
 */
function contracted(
  needs: readonly (readonly number[])[],
  blockOf: readonly number[],
  isMember: (number: number) => boolean,
): number[] {
  const after = new Map<number, number[]>();
  const open = new Map<number, number>(blockOf.map((block) => [block, 0]));
  for (const [to, list] of needs.entries())
    for (const from of list) {
      const [a, b] = [blockOf[from] ?? from, blockOf[to] ?? to];
      if (a === b) continue;
      const users = after.get(a);
      if (users) users.push(b);
      else after.set(a, [b]);
      open.set(b, (open.get(b) ?? 0) + 1);
    }
  const trips = new Map<number, number>();
  const queue = [...open].flatMap(([block, count]) => (count === 0 ? [block] : []));
  for (const block of queue) {
    const tripsHere = trips.get(block) ?? 0;
    for (const next of after.get(block) ?? []) {
      const tripsThere = isMember(block) && !isMember(next) ? tripsHere + 1 : tripsHere;
      trips.set(next, Math.max(trips.get(next) ?? 0, tripsThere));
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) queue.push(next);
    }
  }
  const firsts = new Map<number, number>();
  return blockOf.map((block, number) => {
    if (!isMember(number)) return block;
    const trip = trips.get(number) ?? 0;
    const first = firsts.get(trip) ?? number;
    firsts.set(trip, first);
    return first;
  });
}
