import { z } from 'zod';
import type { Prepared } from '../../service/src/kernel/command.ts';
import type { DispatchContext } from '../../service/src/kernel/dispatch.ts';
import { isObject } from '../../service/src/kernel/is-object.ts';
import { inMember, readList } from '../../service/src/kernel/shape.ts';
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

// The schema of a push. Tolerant where serialisers differ (casing of members and enum values, missing or null lists,
// members that the console computes), strict about values. Unknown members are dropped: a producer may be newer than
// the console. The limits keep the work for a push proportional to its size.

/** An object with case-insensitive member names; the exact spelling wins over another. */
function caseless<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(renameTo(Object.keys(shape)), z.object(shape));
}

function renameTo(members: readonly string[]) {
  const known = new Map(members.map((member) => [member.toLowerCase(), member]));
  return (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const named: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const member = known.get(key.toLowerCase());
      if (member !== undefined && (key === member || !Object.hasOwn(value, member))) named[member] = inner;
    }
    return named;
  };
}

export function caselessEnum<const Values extends readonly [string, ...string[]]>(values: Values) {
  const known = new Map(values.map((value) => [value.toLowerCase(), value]));
  const respell = (value: unknown) =>
    typeof value === 'string' ? (known.get(value.trim().toLowerCase()) ?? value) : value;
  return z.preprocess(respell, z.enum(values));
}

const orNull = <Value>(value: Value | null | undefined): Value | null => value ?? null;
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform(orNull);
const text = (maxLength: number) => z.string().trim().min(1, 'must not be blank').max(maxLength);
/** A blank text counts as missing. */
const optionalText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .nullish()
    .transform((value) => value || null);
const list = <Schema extends z.ZodType>(schema: Schema, maxItems = 200) =>
  z
    .array(schema)
    .max(maxItems)
    .nullish()
    .transform((value) => value ?? []);

const typeRef = caseless({
  name: optionalText(500),
  fullName: optionalText(1000),
  assemblyName: optionalText(500),
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
  httpRoute: optionalText(1000),
  httpMethod: optionalText(20),
  grpcService: optionalText(500),
  grpcMethod: optionalText(500),
  projectionType: optional(typeRef),
  label: optionalText(500),
});

const claim = caseless({
  provenance: caselessEnum(provenances),
  value: z.string().max(20_000),
  source: optionalText(500),
});

const hotspot = caseless({
  origin: caselessEnum(hotspotOrigins),
  text: text(20_000),
  specificationIdentity: optionalText(1000),
  role: optional(caselessEnum(roles)),
  winningClaim: optional(claim),
  losingClaim: optional(claim),
});

const specification = caseless({ identity: text(1000), resolvedTypes: list(typeRef) });

const externalSystem = caseless({
  name: text(500),
  direction: caselessEnum(directions),
  endpointUri: optionalText(1000),
});

const aggregate = caseless({ type: typeRef, kind: caselessEnum(aggregateKinds), appliedEvents: list(typeRef, 1000) });

const claimedBy = z
  .record(z.string(), caselessEnum(provenances))
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

export const maxSlices = 5000;

class DuplicateName {
  readonly message: string;
  constructor(name: string, index: number) {
    this.message = `slices[${index}] already has the name ${name}; a source names each slice once`;
  }
}

const sliceName = z
  .string({ error: ({ input }) => (input instanceof DuplicateName ? input.message : undefined) })
  .trim()
  .min(1, 'must not be blank')
  .max(300);

const slice = caseless({
  name: sliceName,
  triggerLabel: optionalText(500),
  triggerType: optional(typeRef),
  commandType: optional(typeRef),
  handlerType: optional(typeRef),
  emittedEvents: list(typeRef),
  projectionTypes: list(typeRef),
  readModelTypes: list(typeRef),
  pattern: optional(caselessEnum(patterns)),
  triggerKind: optional(caselessEnum(triggerKinds)),
  triggerOrigin: optional(triggerOrigin),
  aggregateTypes: list(typeRef),
  publishedMessages: list(typeRef),
  externalSystems: list(externalSystem),
  hotspots: list(hotspot),
  specifications: list(specification, 1000),
  domain: optionalText(300),
  consumedEvents: list(typeRef),
  readsFrom: list(typeRef),
  chapter: optionalText(300),
  origin: optionalText(1000),
  provenance: optional(caselessEnum(provenances)),
  claimedBy,
});

/** Marks duplicate names before validation, so that they are reported together with all other errors. */
export function markDuplicateNames(value: unknown): unknown {
  if (!Array.isArray(value) || value.length > maxSlices) return value;
  const first = new Map<string, number>();
  return value.map((given, index) => {
    const key = isObject(given) ? Object.keys(given).find((member) => member.toLowerCase() === 'name') : undefined;
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
  slices: z.preprocess(markDuplicateNames, list(slice, maxSlices)),
  aggregates: list(aggregate, 2000),
  hotspots: list(hotspot, 2000),
};

export const pushedDescriptor = caseless(members);
export const renameMembers = renameTo(Object.keys(members));

const shared = { document: pushedDescriptor, mostValues: 10_000 };

/** The lists of a push that may be long. */
export const longLists = [
  { ...shared, member: 'slices', item: slice, mostItems: maxSlices, leastValues: 30 },
  { ...shared, member: 'aggregates', item: aggregate, mostItems: 2000 },
  { ...shared, member: 'hotspots', item: hotspot, mostItems: 2000 },
];

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Compiles only if the pushed and the served shape are the same. @public */
export const pushedShapeIsServed: Same<z.output<typeof pushedDescriptor>, Descriptor> = true;

/** Validates the long lists of a push cooperatively, before the schema checks the rest of it. */
export async function validateLongLists<Input extends { document: Descriptor }>(
  { yieldIfBusy }: Pick<DispatchContext, 'yieldIfBusy'>,
  raw: Readonly<Record<string, unknown>>,
): Promise<Prepared<Input>> {
  const document = renameMembers(raw.document);
  if (!isObject(document) || !yieldIfBusy) return { raw };
  const marked: Record<string, unknown> = { ...document, slices: markDuplicateNames(document.slices) };
  const validated: Record<string, unknown[]> = {};
  for (const list of longLists) {
    const result = await readList<unknown>(marked[list.member], list, yieldIfBusy);
    if (result && 'faults' in result) return { faults: result.faults.map(inMember('document')) };
    if (result) validated[list.member] = result.items;
  }
  const emptied = Object.fromEntries(Object.keys(validated).map((member) => [member, []]));
  return {
    raw: { ...raw, document: { ...document, ...emptied } },
    complete: (input) => ({ ...input, document: { ...input.document, ...validated } }),
  };
}
