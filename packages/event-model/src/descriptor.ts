import { z } from 'zod';
import type { Prepared } from '../../service/src/kernel/command.ts';
import type { DispatchContext } from '../../service/src/kernel/dispatch.ts';
import { readList } from '../../service/src/kernel/read-list.ts';
import { inMember } from '../../service/src/kernel/shape.ts';
import type { Descriptor } from './contract.ts';
import {
  aggregateKinds,
  directions,
  hotspotOrigins,
  patterns,
  provenances,
  roles,
  triggerKinds,
} from './vocabulary.ts';

// What a producer may push. Tolerant where serialisers differ (casing of members and words, lists left out or null,
// members we compute ourselves), strict where a value makes no sense. Unknown members are dropped, not refused:
// producers are newer than we are. The bounds keep what is computed from a push in proportion to its size.

export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object whose members are matched without case; of two spellings the exact one counts. */
function caseless<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(renameTo(Object.keys(shape)), z.object(shape));
}

function renameTo(members: readonly string[]) {
  const known = new Map(members.map((member) => [member.toLowerCase(), member]));
  return (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    const named: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const member = known.get(key.toLowerCase());
      if (member !== undefined && (key === member || !Object.hasOwn(value, member))) named[member] = inner;
    }
    return named;
  };
}

function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  const known = new Map(words.map((each) => [each.toLowerCase(), each]));
  const respell = (value: unknown) =>
    typeof value === 'string' ? (known.get(value.trim().toLowerCase()) ?? value) : value;
  return z.preprocess(respell, z.enum(words));
}

const orNull = <Value>(value: Value | null | undefined): Value | null => value ?? null;
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform(orNull);
const text = (most: number) => z.string().trim().min(1, 'must not be blank').max(most);
/** Blank says nothing, so it claims nothing. */
const maybeText = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .nullish()
    .transform((value) => value || null);
const list = <Schema extends z.ZodType>(schema: Schema, most = 200) =>
  z
    .array(schema)
    .max(most)
    .nullish()
    .transform((value) => value ?? []);

const typeName = caseless({
  name: maybeText(500),
  fullName: maybeText(1000),
  assemblyName: maybeText(500),
}).transform(({ name, fullName, assemblyName }, ctx) => {
  const full = fullName ?? name;
  if (full === null) {
    ctx.addIssue({ code: 'custom', message: 'a type needs a name or a fullName' });
    return z.NEVER;
  }
  return { name: name ?? shortName(full), fullName: full, assemblyName: assemblyName ?? '' };
});

/** The last part of a qualified name, without the argument count or arguments of a generic type. */
export function shortName(fullName: string): string {
  const plain = fullName.replace(/[`[<].*$/s, '');
  return plain.slice(Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('+'), plain.lastIndexOf('/')) + 1) || fullName;
}

const triggerOrigin = caseless({
  httpRoute: maybeText(1000),
  httpMethod: maybeText(20),
  grpcService: maybeText(500),
  grpcMethod: maybeText(500),
  projectionType: maybe(typeName),
  label: maybeText(500),
});

const claim = caseless({ provenance: word(provenances), value: z.string().max(20_000), source: maybeText(500) });

const hotspot = caseless({
  origin: word(hotspotOrigins),
  text: text(20_000),
  specificationIdentity: maybeText(1000),
  role: maybe(word(roles)),
  winningClaim: maybe(claim),
  losingClaim: maybe(claim),
});

const specification = caseless({ identity: text(1000), resolvedTypes: list(typeName) });

const externalSystem = caseless({ name: text(500), direction: word(directions), endpointUri: maybeText(1000) });

const aggregate = caseless({ type: typeName, kind: word(aggregateKinds), appliedEvents: list(typeName, 1000) });

const claimedBy = z
  .record(z.string(), word(provenances))
  .nullish()
  .transform((given, ctx) => {
    const known = new Map(roles.map((role) => [role.toLowerCase(), role]));
    const claims: Descriptor['slices'][number]['claimedBy'] = {};
    for (const [key, provenance] of Object.entries(given ?? {})) {
      const role = known.get(key.toLowerCase());
      if (role) claims[role] = provenance;
      else ctx.addIssue({ code: 'custom', path: [key], message: `not a role; the roles are ${roles.join(', ')}` });
    }
    return claims;
  });

export const mostSlices = 5000;

class DuplicateName {
  readonly message: string;
  constructor(name: string, index: number) {
    this.message = `the name ${name} is taken by slices[${index}]; a source names each slice once`;
  }
}

const sliceName = z
  .string({ error: ({ input }) => (input instanceof DuplicateName ? input.message : undefined) })
  .trim()
  .min(1, 'must not be blank')
  .max(300);

const slice = caseless({
  name: sliceName,
  triggerLabel: maybeText(500),
  triggerType: maybe(typeName),
  commandType: maybe(typeName),
  handlerType: maybe(typeName),
  emittedEvents: list(typeName),
  projectionTypes: list(typeName),
  readModelTypes: list(typeName),
  pattern: maybe(word(patterns)),
  triggerKind: maybe(word(triggerKinds)),
  triggerOrigin: maybe(triggerOrigin),
  aggregateTypes: list(typeName),
  publishedMessages: list(typeName),
  externalSystems: list(externalSystem),
  hotspots: list(hotspot),
  specifications: list(specification, 1000),
  domain: maybeText(300),
  consumedEvents: list(typeName),
  readsFrom: list(typeName),
  chapter: maybeText(300),
  origin: maybeText(1000),
  provenance: maybe(word(provenances)),
  claimedBy,
});

/** Marks each name that an earlier slice has, before anything else is looked at: so all faults are told at once. */
export function markDuplicateNames(value: unknown): unknown {
  if (!Array.isArray(value) || value.length > mostSlices) return value;
  const first = new Map<string, number>();
  return value.map((given, index) => {
    const key = isPlain(given) ? Object.keys(given).find((member) => member.toLowerCase() === 'name') : undefined;
    const name = key === undefined ? undefined : given[key];
    if (key === undefined || typeof name !== 'string') return given;
    const before = first.get(name.trim());
    if (before !== undefined) return { ...given, [key]: new DuplicateName(name.trim(), before) };
    first.set(name.trim(), index);
    return given;
  });
}

const members = {
  name: text(300),
  slices: z.preprocess(markDuplicateNames, list(slice, mostSlices)),
  aggregates: list(aggregate, 2000),
  hotspots: list(hotspot, 2000),
};

export const pushedDescriptor = caseless(members);
export const renameMembers = renameTo(Object.keys(members));

const most = { document: pushedDescriptor, mostValues: 10_000 };

/** What may be long in a push. */
export const longLists = [
  { ...most, member: 'slices', item: slice, mostItems: mostSlices, leastValues: 30 },
  { ...most, member: 'aggregates', item: aggregate, mostItems: 2000 },
  { ...most, member: 'hotspots', item: hotspot, mostItems: 2000 },
];

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Compiles only while what is read and what is served have one shape. @public */
export const readsWhatIsServed: Same<z.output<typeof pushedDescriptor>, Descriptor> = true;

/** The same push with its long lists read while others go on. */
export async function withListsRead<Input extends { document: Descriptor }>(
  { waitForTurn }: Pick<DispatchContext, 'waitForTurn'>,
  raw: Readonly<Record<string, unknown>>,
): Promise<Prepared<Input>> {
  const document = renameMembers(raw.document);
  if (!isPlain(document) || !waitForTurn) return { raw };
  const given: Record<string, unknown> = { ...document, slices: markDuplicateNames(document.slices) };
  const read: Record<string, unknown[]> = {};
  for (const list of longLists) {
    const result = await readList<unknown>(given[list.member], list, waitForTurn);
    if (result && 'faults' in result) return { faults: result.faults.map(inMember('document')) };
    if (result) read[list.member] = result.items;
  }
  const left = Object.fromEntries(Object.keys(read).map((member) => [member, []]));
  return {
    raw: { ...raw, document: { ...document, ...left } },
    complete: (input) => ({ ...input, document: { ...input.document, ...read } }),
  };
}
