import { z } from 'zod';
import type { Refusal, RefusalCode } from '../kernel/outcome.ts';
import { isOurs } from '../kernel/schema-marks.ts';

type Json = Readonly<Record<string, unknown>>;
type Schemas = readonly z.ZodType[];

/** Members that every tool answer may have besides those of its schema. */
const ownMembers: ReadonlySet<string> = new Set(['truncated', 'leftOff', 'next', 'total', 'detail']);
/** Members of an answer that is a document: others wrote only its text. */
const documentMembers: ReadonlySet<string> = new Set(['format', 'bytes', 'url']);

/** Instants, numbers and hexadecimal ids: no instruction can be written in these characters. */
const speechless = /^(\d{4}-\d\d-\d\dT[\d:.]+Z|[\d.]+|[0-9a-f-]{8,64})$/;

/** A member name that no schema has may be a sentence. */
const plainName = /^\w{1,40}$/;

/** Stands for every member of an answer. */
const everything = '*';

/**
 * The paths of the members that others wrote, such as `claim.note` and `items[].title`, each once; a path covers all
 * members below it. A text counts as ours only if the output schema marks it. If the paths take more than `maxBytes`,
 * they are replaced by those of their parents.
 */
export function untrustedIn(body: Json, output: z.ZodType, maxBytes: number): string[] {
  const found = new Set<string>();
  const schemas = optionsOf(output);
  const known = schemas.some((schema) => schema instanceof z.ZodObject);
  for (const [name, value] of Object.entries(body)) {
    const members = membersOf(schemas, name);
    if (members.length === 0 && ownMembers.has(name)) continue;
    if (!known && documentMembers.has(name)) continue;
    if (members.length === 0 && !plainName.test(name)) return [everything];
    visit(value, members, name, found);
  }
  return shortened(found, maxBytes);
}

function visit(value: unknown, schemas: Schemas, path: string, found: Set<string>): void {
  if (found.has(path)) return;
  if (typeof value === 'string') {
    if (value !== '' && !speechless.test(value) && !isTrusted(schemas)) found.add(path);
  } else if (Array.isArray(value)) {
    const elements = schemas.flatMap((schema) => (schema instanceof z.ZodArray ? optionsOf(schema.def.element) : []));
    for (const item of value) visit(item, elements, `${path}[]`, found);
  } else if (typeof value === 'object' && value !== null) visitMembers(value, schemas, path, found);
}

function visitMembers(value: object, schemas: Schemas, path: string, found: Set<string>): void {
  const members = Object.entries(value);
  // Members whose names are in no schema were written by others too.
  if (members.some(([name]) => membersOf(schemas, name).length === 0)) {
    found.add(path);
    return;
  }
  for (const [name, inner] of members) visit(inner, membersOf(schemas, name), `${path}.${name}`, found);
}

/** For a union, all variants that a text may belong to must be trusted. */
function isTrusted(schemas: Schemas): boolean {
  const texts = schemas.filter((schema) => !textless.has(schema.def.type));
  return (
    texts.length > 0 && texts.every((schema) => isOurs(schema) || fixedTexts.has(schema.def.type) || isInstant(schema))
  );
}

const textless: ReadonlySet<string> = new Set(['number', 'int', 'boolean', 'null', 'undefined', 'object', 'array']);
const fixedTexts: ReadonlySet<string> = new Set(['enum', 'literal']);
const isInstant = (schema: z.ZodType): boolean => schema instanceof z.ZodISODateTime;

/** The schemas that a member of an object may have; none if its name is not ours. */
function membersOf(schemas: Schemas, name: string): Schemas {
  return schemas.flatMap((schema) => {
    if (schema instanceof z.ZodObject) {
      const member = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      return member === undefined ? [] : optionsOf(member);
    }
    if (schema instanceof z.ZodRecord && schema.def.keyType instanceof z.ZodEnum)
      return optionsOf(schema.def.valueType);
    return [];
  });
}

/** The same for a refusal: texts of others are in its own members and, for these codes, in its message. */
export function untrustedInRefusal({ code, extra }: Refusal): string[] {
  const isForeign = (value: unknown) =>
    typeof value === 'string' ? value !== '' && !speechless.test(value) : typeof value === 'object' && value !== null;
  const named = Object.entries(extra).flatMap(([name, value]) => (isForeign(value) ? [name] : []));
  return named.length > 0 || quoting.has(code) ? ['detail', ...named] : named;
}

const quoting: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'not_holder',
  'node_claimed',
  'stale_fence',
  'scope_required',
  'self_sign_off',
  'signer_required',
  'host_unavailable',
  'version_conflict',
]);

/** A schema without its wrappers; for a union, all of its variants. */
function optionsOf(schema: z.core.$ZodType): Schemas {
  if (!(schema instanceof z.ZodType)) return [];
  if (isOurs(schema)) return [schema];
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap(optionsOf);
  if (schema instanceof z.ZodPipe) return optionsOf(schema.def.out);
  if (schema instanceof z.ZodLazy) return optionsOf(schema.def.getter());
  const inner = 'innerType' in schema.def ? schema.def.innerType : undefined;
  return inner instanceof z.ZodType ? optionsOf(inner) : [schema];
}

function shortened(found: ReadonlySet<string>, maxBytes: number): string[] {
  let paths = covering([...found]);
  while (JSON.stringify(paths).length > maxBytes) {
    const deepest = Math.max(...paths.map(depthOf));
    if (deepest === 0) return [everything];
    paths = covering(paths.map((path) => (depthOf(path) === deepest ? parentOf(path) : path)));
  }
  return paths;
}

const depthOf = (path: string): number => path.split(/\.|(?=\[\])/).length - 1;
const parentOf = (path: string): string => path.replace(/(\.[^.[]*|\[\])$/, '');

/** Each path once, and none below another. */
function covering(paths: readonly string[]): string[] {
  const all = new Set(paths);
  const isBelow = (path: string): boolean => {
    for (let above = parentOf(path); above !== path; path = above, above = parentOf(path))
      if (all.has(above)) return true;
    return false;
  };
  return [...all].filter((path) => !isBelow(path));
}
