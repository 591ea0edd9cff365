import type { Hotspot, Slice } from './contract.ts';
import { type Provenance, provenances, type Role } from './words.ts';

/** What one source says about a slice. */
export type Part = { source: string; slice: Slice };
type Claim<Value> = { source: string; provenance: Provenance; value: Value };

/** Fills as the roles of one slice are settled. */
export type Settled = { claimedBy: Slice['claimedBy']; disagreements: Hotspot[] };

export const rung = (provenance: Provenance): number => provenances.indexOf(provenance);

function claimsOf<Value>(parts: readonly Part[], role: Role, value: (slice: Slice) => Value | null): Claim<Value>[] {
  return parts.flatMap(({ source, slice }) => {
    const claimed = value(slice);
    if (claimed === null) return [];
    return [{ source, provenance: slice.claimedBy[role] ?? slice.provenance ?? 'Declared', value: claimed }];
  });
}

const highest = (claims: readonly Claim<unknown>[]): number =>
  claims.reduce((most, claim) => Math.max(most, rung(claim.provenance)), 0);

/** One value: the strongest claim wins, of equally strong ones the first. */
export function settleOne<Value>(
  settled: Settled,
  parts: readonly Part[],
  role: Role,
  how: {
    value(slice: Slice): Value | null;
    same(a: Value, b: Value): boolean;
    prefer?(value: Value): boolean;
    says(value: Value): string;
  },
): Value | null {
  const claims = claimsOf(parts, role, how.value);
  const top = highest(claims);
  const strongest = claims.filter((claim) => rung(claim.provenance) === top);
  const [first] = strongest;
  if (!first) return null;
  const same = strongest.filter((claim) => how.same(claim.value, first.value));
  const winner = same.find((claim) => how.prefer?.(claim.value)) ?? first;
  settled.claimedBy[role] = winner.provenance;
  for (const claim of claims) {
    if (!how.same(claim.value, winner.value)) settled.disagreements.push(disagreement(role, winner, claim, how.says));
  }
  return winner.value;
}

/** A list: the strongest claims together; a weaker list adds nothing, and is a disagreement where it had more to say. */
export function settleMany<Item>(
  settled: Settled,
  parts: readonly Part[],
  role: Role,
  how: { value(slice: Slice): readonly Item[]; union(items: readonly Item[]): Item[]; name(item: Item): string },
): Item[] {
  const claims = claimsOf(parts, role, (slice) => (how.value(slice).length > 0 ? how.value(slice) : null));
  const top = highest(claims);
  const strongest = claims.filter((claim) => rung(claim.provenance) === top);
  const [first] = strongest;
  if (!first) return [];
  const union = how.union(strongest.flatMap((claim) => claim.value));
  settled.claimedBy[role] = first.provenance;
  const says = (items: readonly Item[]) => items.map(how.name).join(', ');
  const winner = { ...first, value: union, source: [...new Set(strongest.map((claim) => claim.source))].join(', ') };
  for (const claim of claims) {
    const lost = rung(claim.provenance) < top && how.union([...union, ...claim.value]).length > union.length;
    if (lost) settled.disagreements.push(disagreement(role, winner, claim, says));
  }
  return union;
}

function disagreement<Value>(
  role: Role,
  won: Claim<Value>,
  lost: Claim<Value>,
  says: (value: Value) => string,
): Hotspot {
  const claim = (of: Claim<Value>) => ({ provenance: of.provenance, value: says(of.value), source: of.source });
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
