import type { Aggregate, Descriptor, ExternalSystem, Hotspot, Slice, Specification, TypeRef } from './contract.ts';
import { distinctTypes, order, sameType } from './types.ts';
import { type Provenance, provenances, type Role } from './vocabulary.ts';

/** The part of the model that one source pushed. */
export type SourceDescriptor = { source: string; descriptor: Descriptor };
type MergeSlice = (name: string, parts: readonly SourceSlice[]) => Slice;

/**
 * Merges all sources into one model. Sources are merged in the order of their names, so the result does not depend on
 * the order or number of pushes. Slices keep the order of their first mention.
 */
export function mergeSources(
  name: string,
  sources: readonly SourceDescriptor[],
  merge: MergeSlice = mergeSlice,
): Descriptor {
  const ordered = inOrder(sources);
  const { aggregates, disagreements } = mergeAggregates(ordered);
  return {
    name,
    slices: [...sourceSlicesOf(ordered)].map(([sliceName, parts]) => merge(sliceName, parts)),
    aggregates,
    hotspots: unionHotspots([...ordered.flatMap(({ descriptor }) => descriptor.hotspots), ...disagreements]),
  };
}

const inOrder = <One extends SourceDescriptor>(sources: readonly One[]): One[] =>
  [...sources].sort((a, b) => order(a.source.toLowerCase(), b.source.toLowerCase()));

/** The parts of each slice, by the name of the slice. */
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
  const single = <Value>(role: Role, value: (slice: Slice) => Value | null): Value | null =>
    mergeValue<Value>(claims, parts, role, { value, same: (a, b) => asText(a) === asText(b), describe: asText });
  const type = (role: Role, value: (slice: Slice) => TypeRef | null) =>
    mergeValue(claims, parts, role, { value, same: sameType, prefer: isFromCode, describe: (ref) => ref.fullName });
  const types = (role: Role, value: (slice: Slice) => TypeRef[]) =>
    mergeList(claims, parts, role, { value, union: distinctTypes, name: (ref) => ref.fullName });
  const merged = {
    name,
    triggerLabel: single('TriggerLabel', (slice) => slice.triggerLabel),
    triggerType: type('TriggerType', (slice) => slice.triggerType),
    commandType: type('CommandType', (slice) => slice.commandType),
    handlerType: type('HandlerType', (slice) => slice.handlerType),
    emittedEvents: types('EmittedEvents', (slice) => slice.emittedEvents),
    projectionTypes: types('ProjectionTypes', (slice) => slice.projectionTypes),
    readModelTypes: types('ReadModelTypes', (slice) => slice.readModelTypes),
    pattern: single('Pattern', (slice) => slice.pattern),
    triggerKind: single('TriggerKind', (slice) => slice.triggerKind),
    triggerOrigin: single('TriggerOrigin', (slice) => slice.triggerOrigin),
    aggregateTypes: types('AggregateTypes', (slice) => slice.aggregateTypes),
    publishedMessages: types('PublishedMessages', (slice) => slice.publishedMessages),
    externalSystems: mergeList(claims, parts, 'ExternalSystems', externalSystems),
    specifications: mergeList(claims, parts, 'Specifications', specifications),
    domain: single('Domain', (slice) => slice.domain),
    consumedEvents: types('ConsumedEvents', (slice) => slice.consumedEvents),
    readsFrom: types('ReadsFrom', (slice) => slice.readsFrom),
    chapter: single('Chapter', (slice) => slice.chapter),
    origin: single('Origin', (slice) => slice.origin),
    provenance: strongest(parts),
  };
  const hotspots = unionHotspots([...parts.flatMap(({ slice }) => slice.hotspots), ...claims.disagreements]);
  return { ...merged, hotspots, claimedBy: claims.claimedBy };
}

const isFromCode = (type: TypeRef): boolean => type.assemblyName !== '';
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

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

// Types are deduplicated after all were collected: whether two are the same can depend on a third.
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

function kindDisagreement(winner: SourceAggregate, loser: SourceAggregate): Hotspot {
  const claim = ({ source, aggregate }: SourceAggregate) => ({
    provenance: 'Declared' as const,
    value: aggregate.kind,
    source,
  });
  return {
    origin: 'SourceDisagreement',
    text: `${winner.aggregate.type.fullName}: ${winner.aggregate.kind} (${winner.source}) stands over ${loser.aggregate.kind} (${loser.source})`,
    specificationIdentity: null,
    role: null,
    winningClaim: claim(winner),
    losingClaim: claim(loser),
  };
}

/** One source's part of a slice. */
export type SourceSlice = { source: string; slice: Slice };
type SourceClaim<Value> = { source: string; provenance: Provenance; value: Value };

/** Collected while the roles of one slice are merged. */
export type MergedClaims = { claimedBy: Slice['claimedBy']; disagreements: Hotspot[] };

export const provenanceRank = (provenance: Provenance): number => provenances.indexOf(provenance);

function sourceClaimsOf<Value>(
  parts: readonly SourceSlice[],
  role: Role,
  value: (slice: Slice) => Value | null,
): SourceClaim<Value>[] {
  return parts.flatMap(({ source, slice }) => {
    const claimed = value(slice);
    if (claimed === null) return [];
    return [{ source, provenance: slice.claimedBy[role] ?? slice.provenance ?? 'Declared', value: claimed }];
  });
}

const highest = (claims: readonly SourceClaim<unknown>[]): number =>
  claims.reduce((most, claim) => Math.max(most, provenanceRank(claim.provenance)), 0);

/** Merges a single value: the strongest claim wins; among equals, the first. */
export function mergeValue<Value>(
  merged: MergedClaims,
  parts: readonly SourceSlice[],
  role: Role,
  rule: {
    value(slice: Slice): Value | null;
    same(a: Value, b: Value): boolean;
    prefer?(value: Value): boolean;
    describe(value: Value): string;
  },
): Value | null {
  const claims = sourceClaimsOf(parts, role, rule.value);
  const top = highest(claims);
  const strongest = claims.filter((claim) => provenanceRank(claim.provenance) === top);
  const [first] = strongest;
  if (!first) return null;
  const same = strongest.filter((claim) => rule.same(claim.value, first.value));
  const winner = same.find((claim) => rule.prefer?.(claim.value)) ?? first;
  merged.claimedBy[role] = winner.provenance;
  for (const claim of claims) {
    if (!rule.same(claim.value, winner.value))
      merged.disagreements.push(disagreement(role, winner, claim, rule.describe));
  }
  return winner.value;
}

/** Merges a list: the union of the strongest claims. A weaker claim adds nothing; items that only it has are a disagreement. */
export function mergeList<Item>(
  merged: MergedClaims,
  parts: readonly SourceSlice[],
  role: Role,
  rule: { value(slice: Slice): readonly Item[]; union(items: readonly Item[]): Item[]; name(item: Item): string },
): Item[] {
  const claims = sourceClaimsOf(parts, role, (slice) => (rule.value(slice).length > 0 ? rule.value(slice) : null));
  const top = highest(claims);
  const strongest = claims.filter((claim) => provenanceRank(claim.provenance) === top);
  const [first] = strongest;
  if (!first) return [];
  const union = rule.union(strongest.flatMap((claim) => claim.value));
  merged.claimedBy[role] = first.provenance;
  const describe = (items: readonly Item[]) => items.map(rule.name).join(', ');
  const winner = { ...first, value: union, source: [...new Set(strongest.map((claim) => claim.source))].join(', ') };
  for (const claim of claims) {
    const lost = provenanceRank(claim.provenance) < top && rule.union([...union, ...claim.value]).length > union.length;
    if (lost) merged.disagreements.push(disagreement(role, winner, claim, describe));
  }
  return union;
}

function disagreement<Value>(
  role: Role,
  winner: SourceClaim<Value>,
  loser: SourceClaim<Value>,
  describe: (value: Value) => string,
): Hotspot {
  const claim = (of: SourceClaim<Value>) => ({
    provenance: of.provenance,
    value: describe(of.value),
    source: of.source,
  });
  const [winningClaim, losingClaim] = [claim(winner), claim(loser)];
  const asText = (of: typeof winningClaim) => `${of.value} (${of.provenance}, ${of.source})`;
  return {
    origin: 'SourceDisagreement',
    text: `${role}: ${asText(winningClaim)} stands over ${asText(losingClaim)}`,
    specificationIdentity: null,
    role,
    winningClaim,
    losingClaim,
  };
}
