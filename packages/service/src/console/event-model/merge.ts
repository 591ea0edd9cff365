import type { Aggregate, Descriptor, ExternalSystem, Hotspot, Slice, Specification, TypeRef } from './contract.ts';
import { type MergedClaims, mergeList, mergeValue, provenanceRank, type SourceSlice } from './source-claims.ts';
import { distinctTypes, order, sameType } from './types.ts';
import type { Role } from './vocabulary.ts';

/** One source's own part of the model. */
export type SourceDescriptor = { source: string; descriptor: Descriptor };
type MergeSlice = (name: string, parts: readonly SourceSlice[]) => Slice;

/**
 * One model from all its sources. Sources count in the order of their names, so neither the order nor the number of
 * pushes shows. Slices keep the order in which they are first mentioned.
 */
export function mergeSources(
  name: string,
  sources: readonly SourceDescriptor[],
  one: MergeSlice = mergeSlice,
): Descriptor {
  const ordered = inOrder(sources);
  const { aggregates, disagreements } = mergeAggregates(ordered);
  return {
    name,
    slices: [...sourceSlicesOf(ordered)].map(([sliceName, parts]) => one(sliceName, parts)),
    aggregates,
    hotspots: unionHotspots([...ordered.flatMap(({ descriptor }) => descriptor.hotspots), ...disagreements]),
  };
}

const inOrder = <One extends SourceDescriptor>(sources: readonly One[]): One[] =>
  [...sources].sort((a, b) => order(a.source.toLowerCase(), b.source.toLowerCase()));

/** What each source says of a slice, by its name. */
export function sourceSlicesOf(sources: readonly SourceDescriptor[]): Map<string, SourceSlice[]> {
  const bySlice = new Map<string, SourceSlice[]>();
  for (const { source, descriptor } of inOrder(sources)) {
    for (const slice of descriptor.slices) {
      const parts = bySlice.get(slice.name);
      if (parts) parts.push({ source, slice });
      else bySlice.set(slice.name, [{ source, slice }]);
    }
  }
  return bySlice;
}

export function mergeSlice(name: string, parts: readonly SourceSlice[]): Slice {
  const claims: MergedClaims = { claimedBy: {}, disagreements: [] };
  const one = <Value>(role: Role, value: (slice: Slice) => Value | null): Value | null =>
    mergeValue<Value>(claims, parts, role, { value, same: (a, b) => write(a) === write(b), describe: write });
  const type = (role: Role, value: (slice: Slice) => TypeRef | null) =>
    mergeValue(claims, parts, role, { value, same: sameType, prefer: isFromCode, describe: (ref) => ref.fullName });
  const types = (role: Role, value: (slice: Slice) => TypeRef[]) =>
    mergeList(claims, parts, role, { value, union: distinctTypes, name: (ref) => ref.fullName });
  const merged = {
    name,
    triggerLabel: one('TriggerLabel', (slice) => slice.triggerLabel),
    triggerType: type('TriggerType', (slice) => slice.triggerType),
    commandType: type('CommandType', (slice) => slice.commandType),
    handlerType: type('HandlerType', (slice) => slice.handlerType),
    emittedEvents: types('EmittedEvents', (slice) => slice.emittedEvents),
    projectionTypes: types('ProjectionTypes', (slice) => slice.projectionTypes),
    readModelTypes: types('ReadModelTypes', (slice) => slice.readModelTypes),
    pattern: one('Pattern', (slice) => slice.pattern),
    triggerKind: one('TriggerKind', (slice) => slice.triggerKind),
    triggerOrigin: one('TriggerOrigin', (slice) => slice.triggerOrigin),
    aggregateTypes: types('AggregateTypes', (slice) => slice.aggregateTypes),
    publishedMessages: types('PublishedMessages', (slice) => slice.publishedMessages),
    externalSystems: mergeList(claims, parts, 'ExternalSystems', externalSystems),
    specifications: mergeList(claims, parts, 'Specifications', specifications),
    domain: one('Domain', (slice) => slice.domain),
    consumedEvents: types('ConsumedEvents', (slice) => slice.consumedEvents),
    readsFrom: types('ReadsFrom', (slice) => slice.readsFrom),
    chapter: one('Chapter', (slice) => slice.chapter),
    origin: one('Origin', (slice) => slice.origin),
    provenance: strongest(parts),
  };
  const hotspots = unionHotspots([...parts.flatMap(({ slice }) => slice.hotspots), ...claims.disagreements]);
  return { ...merged, hotspots, claimedBy: claims.claimedBy };
}

const isFromCode = (type: TypeRef): boolean => type.assemblyName !== '';
const write = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const strongest = (parts: readonly SourceSlice[]): Slice['provenance'] =>
  parts
    .map(({ slice }) => slice.provenance)
    .reduce((best, next) => (next && (!best || provenanceRank(next) > provenanceRank(best)) ? next : best), null);

const externalSystems = {
  value: (slice: Slice) => slice.externalSystems,
  name: (system: ExternalSystem) => system.name,
  union: (systems: readonly ExternalSystem[]) =>
    combine(
      systems,
      (system) => `${system.direction} ${system.name}`,
      (a, b) => ({ ...a, endpointUri: a.endpointUri ?? b.endpointUri }),
    ),
};

// Types are made distinct once all are together: whether two are the same may hang on a third.
const specifications = {
  value: (slice: Slice) => slice.specifications,
  name: (specification: Specification) => specification.identity,
  union: (given: readonly Specification[]) =>
    combine(
      given,
      (specification) => specification.identity,
      (a, b) => ({ ...a, resolvedTypes: [...a.resolvedTypes, ...b.resolvedTypes] }),
    ).map(({ identity, resolvedTypes }) => ({ identity, resolvedTypes: distinctTypes(resolvedTypes) })),
};

const unionHotspots = (hotspots: readonly Hotspot[]): Hotspot[] =>
  combine(
    hotspots,
    (hotspot) => `${hotspot.origin} ${hotspot.text}`,
    (first) => first,
  );

/** One item per key, in order of first mention. */
function combine<Item>(items: readonly Item[], key: (item: Item) => string, join: (a: Item, b: Item) => Item): Item[] {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const before = byKey.get(key(item));
    byKey.set(key(item), before === undefined ? item : join(before, item));
  }
  return [...byKey.values()];
}

function mergeAggregates(sources: readonly SourceDescriptor[]): { aggregates: Aggregate[]; disagreements: Hotspot[] } {
  const disagreements: Hotspot[] = [];
  const all = sources.flatMap(({ source, descriptor }) =>
    descriptor.aggregates.map((aggregate) => ({ source, aggregate })),
  );
  const merged = combine(
    all,
    ({ aggregate }) => aggregate.type.fullName,
    (a, b) => {
      if (a.aggregate.kind !== b.aggregate.kind) disagreements.push(kindDisagreement(a, b));
      const appliedEvents = [...a.aggregate.appliedEvents, ...b.aggregate.appliedEvents];
      return { source: a.source, aggregate: { ...a.aggregate, appliedEvents } };
    },
  );
  const aggregates = merged.map(({ aggregate }) => ({
    ...aggregate,
    appliedEvents: distinctTypes(aggregate.appliedEvents),
  }));
  return { aggregates, disagreements };
}

type SourceAggregate = { source: string; aggregate: Aggregate };

function kindDisagreement(won: SourceAggregate, lost: SourceAggregate): Hotspot {
  const claim = ({ source, aggregate }: SourceAggregate) => ({
    provenance: 'Declared' as const,
    value: aggregate.kind,
    source,
  });
  return {
    origin: 'SourceDisagreement',
    text: `${won.aggregate.type.fullName}: ${won.aggregate.kind} (${won.source}) stands over ${lost.aggregate.kind} (${lost.source})`,
    specificationIdentity: null,
    role: null,
    winningClaim: claim(won),
    losingClaim: claim(lost),
  };
}
