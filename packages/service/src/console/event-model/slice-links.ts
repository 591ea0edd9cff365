import { atOnce, type Steps } from '../../kernel/in-turns.ts';
import type { Link, Slice, TypeRef } from './contract.ts';
import { elementId } from './slice-graph.ts';
import { order, type TypeIndex, typeIndex } from './types.ts';
import { type ElementKind, type LinkKind, linkKinds } from './vocabulary.ts';

/** Thousands of slices that share one event would link each with each; past this nobody can read it anyway. */
const mostLinks = 20_000;

type LinkEnd = { index: number; elementId: string };
type IndexedLink = Link & { from: number; to: number };

/** How slices lead to each other: who emits, publishes or produces what another one starts from, consumes or reads. */
export const linksOf = (slices: readonly Slice[]): Link[] => atOnce(linkSteps(slices));

export function* linkSteps(slices: readonly Slice[]): Steps<Link[]> {
  const started = typeIndex<LinkEnd>();
  const consumed = typeIndex<LinkEnd>();
  const read = typeIndex<LinkEnd>();
  for (const [index, slice] of slices.entries()) {
    const end = (kind: ElementKind, type: TypeRef): LinkEnd => ({
      index,
      elementId: elementId(slice.name, kind, type.fullName),
    });
    if (slice.commandType) started.add(slice.commandType, end('Command', slice.commandType));
    if (slice.triggerType) started.add(slice.triggerType, end('Trigger', slice.triggerType));
    for (const type of slice.consumedEvents) consumed.add(type, end('Event', type));
    for (const type of slice.readsFrom) read.add(type, end('ReadModel', type));
    yield;
  }
  const links: IndexedLink[] = [];
  for (const [index, slice] of slices.entries()) {
    const causes = [
      ...causesOf('EventTriggers', 'Event', slice.emittedEvents, started),
      ...causesOf('MessageTriggers', 'Message', slice.publishedMessages, started),
      ...causesOf('EventConsumed', 'Event', slice.emittedEvents, consumed),
      ...causesOf('ReadModelRead', 'ReadModel', slice.readModelTypes, read),
    ];
    for (const cause of causes) {
      if (links.length < mostLinks) links.push(...linksFrom(slices, slice, index, cause));
    }
    yield;
  }
  return links
    .sort(inOrder)
    .slice(0, mostLinks)
    .map(({ from: _from, to: _to, ...link }) => link);
}

type LinkCause = { kind: LinkKind; via: TypeRef; element: ElementKind; effects: () => LinkEnd[] };

const causesOf = (
  kind: LinkKind,
  element: ElementKind,
  types: readonly TypeRef[],
  effects: TypeIndex<LinkEnd>,
): LinkCause[] => types.map((via) => ({ kind, via, element, effects: () => effects.of(via) }));

/** A slice that both commands and triggers on the same type is one effect, entered at its command. */
function linksFrom(
  slices: readonly Slice[],
  slice: Slice,
  from: number,
  { kind, via, element, effects }: LinkCause,
): IndexedLink[] {
  const entered = new Set([from]);
  return effects().flatMap((effect) => {
    const toSlice = slices[effect.index]?.name;
    if (toSlice === undefined || entered.has(effect.index)) return [];
    entered.add(effect.index);
    const fromElementId = elementId(slice.name, element, via.fullName);
    return [
      {
        fromSlice: slice.name,
        fromElementId,
        toSlice,
        toElementId: effect.elementId,
        kind,
        via,
        from,
        to: effect.index,
      },
    ];
  });
}

const inOrder = (a: IndexedLink, b: IndexedLink): number =>
  a.from - b.from ||
  a.to - b.to ||
  linkKinds.indexOf(a.kind) - linkKinds.indexOf(b.kind) ||
  order(a.via.fullName, b.via.fullName);
