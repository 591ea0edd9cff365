import type { Descriptor, TypeRef } from '../contract.ts';
import { typeIndex } from '../types.ts';

/** What a careful reader would ask about a model. None of it makes a push wrong. */
export type Finding = { slice: string; says: string };

export function findingsOf({ slices }: Descriptor): Finding[] {
  const indexed = (types: readonly TypeRef[]) => {
    const index = typeIndex<true>();
    for (const type of types) index.add(type, true);
    return index;
  };
  const emitted = indexed(slices.flatMap((slice) => slice.emittedEvents));
  const produced = indexed(slices.flatMap((slice) => slice.readModelTypes));
  const used = indexed(
    slices.flatMap((slice) => [slice.triggerType, slice.commandType].filter((type) => type !== null)),
  );
  const consumed = indexed(slices.flatMap((slice) => slice.consumedEvents));
  return slices.flatMap((slice) => {
    const says: string[] = [];
    if (slice.specifications.length === 0) says.push('has no specification, so no run can verify it');
    if (slice.pattern === 'Command' && slice.emittedEvents.length === 0) says.push('is a command that emits no event');
    if (slice.pattern === 'View' && slice.readModelTypes.length === 0) says.push('is a view without a read model');
    for (const { name } of slice.consumedEvents.filter((type) => !emitted.has(type))) {
      says.push(`consumes ${name}, which no slice of this file emits`);
    }
    for (const { name } of slice.readsFrom.filter((type) => !produced.has(type))) {
      says.push(`reads from ${name}, which no slice of this file produces`);
    }
    const unread = slice.emittedEvents.filter((type) => !consumed.has(type) && !used.has(type));
    for (const { name } of unread) says.push(`emits ${name}, which no slice of this file consumes`);
    return says.map((each) => ({ slice: slice.name, says: each }));
  });
}
