import type { Hotspot, Slice } from './contract.ts';
import { type Provenance, provenances, type Role } from './vocabulary.ts';

/** What one source says about a slice. */
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

/** One value: the strongest claim wins, of equally strong ones the first. */
export function mergeValue<Value>(
  merged: MergedClaims,
  parts: readonly SourceSlice[],
  role: Role,
  how: {
    value(slice: Slice): Value | null;
    same(a: Value, b: Value): boolean;
    prefer?(value: Value): boolean;
    describe(value: Value): string;
  },
): Value | null {
  const claims = sourceClaimsOf(parts, role, how.value);
  const top = highest(claims);
  const strongest = claims.filter((claim) => provenanceRank(claim.provenance) === top);
  const [first] = strongest;
  if (!first) return null;
  const same = strongest.filter((claim) => how.same(claim.value, first.value));
  const winner = same.find((claim) => how.prefer?.(claim.value)) ?? first;
  merged.claimedBy[role] = winner.provenance;
  for (const claim of claims) {
    if (!how.same(claim.value, winner.value))
      merged.disagreements.push(disagreement(role, winner, claim, how.describe));
  }
  return winner.value;
}

/** A list: the strongest claims together; a weaker list adds nothing, and is a disagreement where it had more to say. */
export function mergeList<Item>(
  merged: MergedClaims,
  parts: readonly SourceSlice[],
  role: Role,
  how: { value(slice: Slice): readonly Item[]; union(items: readonly Item[]): Item[]; name(item: Item): string },
): Item[] {
  const claims = sourceClaimsOf(parts, role, (slice) => (how.value(slice).length > 0 ? how.value(slice) : null));
  const top = highest(claims);
  const strongest = claims.filter((claim) => provenanceRank(claim.provenance) === top);
  const [first] = strongest;
  if (!first) return [];
  const union = how.union(strongest.flatMap((claim) => claim.value));
  merged.claimedBy[role] = first.provenance;
  const describe = (items: readonly Item[]) => items.map(how.name).join(', ');
  const winner = { ...first, value: union, source: [...new Set(strongest.map((claim) => claim.source))].join(', ') };
  for (const claim of claims) {
    const lost = provenanceRank(claim.provenance) < top && how.union([...union, ...claim.value]).length > union.length;
    if (lost) merged.disagreements.push(disagreement(role, winner, claim, describe));
  }
  return union;
}

function disagreement<Value>(
  role: Role,
  won: SourceClaim<Value>,
  lost: SourceClaim<Value>,
  describe: (value: Value) => string,
): Hotspot {
  const claim = (of: SourceClaim<Value>) => ({
    provenance: of.provenance,
    value: describe(of.value),
    source: of.source,
  });
  const [winningClaim, losingClaim] = [claim(won), claim(lost)];
  const reads = (of: typeof winningClaim) => `${of.value} (${of.provenance}, ${of.source})`;
  return {
    origin: 'SourceDisagreement',
    text: `${role}: ${reads(winningClaim)} stands over ${reads(losingClaim)}`,
    specificationIdentity: null,
    role,
    winningClaim,
    losingClaim,
  };
}
