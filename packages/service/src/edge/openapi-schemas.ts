import { z } from 'zod';
import { isObject } from '../kernel/is-object.ts';

export type Json = Record<string, unknown>;
/** The parts of an object's JSON Schema from which an operation is described. */
export type ObjectSchema = Json & { properties?: Json; required?: string[] };
type Direction = 'input' | 'output';

const at = '#/components/schemas/';

/** The components of a document: schemas with an id, and whole inputs and outputs of operations, each defined once. */
export class SchemaComponents {
  readonly #answers: Json = {};
  readonly #inputs: Json = {};
  readonly #others: Json = {};

  constructor(others: Json) {
    this.#others = others;
  }

  /** Everything named so far, by name. */
  all(): Json {
    const all = Object.entries({ ...this.#others, ...this.#answers, ...this.#inputs });
    return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The schema of an answer; any answer may gain members. */
  answer(schema: z.ZodType): Json {
    return this.#converted(schema, 'output');
  }

  /** The schema of an input; unknown members are refused. */
  input(schema: z.ZodType): ObjectSchema {
    return this.#converted(schema, 'input');
  }

  /** A reference to a schema under that name; a schema that is already a reference stays unchanged. */
  named(name: string, schema: Json, direction: Direction): Json {
    if ('$ref' in schema) return schema;
    (direction === 'output' ? this.#answers : this.#inputs)[name] = schema;
    return { $ref: at + name };
  }

  #converted(schema: z.ZodType, io: Direction): Json {
    const { $schema, $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    const shown = (value: unknown) => plain(io === 'output' ? open(value) : value);
    const names = new Map(
      Object.entries($defs).map(([id, definition]) => [id, this.#nameOf(id, shown(definition), io)]),
    );
    const refer = (value: unknown) => referring(shown(value), names);
    const target = io === 'output' ? this.#answers : this.#inputs;
    for (const [id, definition] of Object.entries($defs)) target[names.get(id) ?? id] = refer(definition);
    const converted = refer(own);
    return isObject(converted) ? converted : {};
  }

  /** An input schema may be stricter than the output schema of the same name. */
  #nameOf(id: string, shown: unknown, io: Direction): string {
    if (io === 'output' || !(id in this.#answers)) return id;
    const asAnswer = referring(open(shown), new Map());
    return JSON.stringify(asAnswer) === JSON.stringify(shown) ? id : `${id}Input`;
  }
}

function mapped(value: unknown, member: (key: string, inner: unknown) => readonly [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, member));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      member(key, inner).map(([name, shown]) => [name, mapped(shown, member)]),
    ),
  );
}

const open = (value: unknown): unknown =>
  mapped(value, (key, inner) => (key === 'additionalProperties' && inner === false ? [] : [[key, inner]]));

/** Keywords that only tools and our own registries read. */
const ownKeywords = /^(?:id|list|x-\w+)$/;
const isSaid = (key: string, { [key]: value, format }: Json): boolean =>
  ownKeywords.test(key) ||
  (key === 'pattern' && format === 'date-time') ||
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER);

/** Removes keywords that a reader does not need, but no member of an object, whatever its name. */
function plain(value: unknown, isMembers = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (!isObject(value)) return value;
  const shown = isMembers ? value : shortNull(value);
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([key]) => isMembers || !isSaid(key, shown))
      .map(([key, inner]) => [key, plain(inner, !isMembers && key === 'properties')]),
  );
}

/** Null as one more type, which generators turn into a nullable member and not into a union. */
function shortNull(schema: Json): Json {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const only: unknown = anyOf.find((option) => option.type !== 'null');
  const mayBeNull = anyOf.some((option) => option.type === 'null');
  if (!mayBeNull || !isObject(only) || typeof only.type !== 'string' || 'const' in only) return schema;
  const values = Array.isArray(only.enum) && { enum: [...only.enum, null] };
  return { ...only, ...values, ...others, type: [only.type, 'null'] };
}

const referring = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
  mapped(value, (key, inner) => {
    if (key !== '$ref' || typeof inner !== 'string') return [[key, inner]];
    const id = inner.replace('#/$defs/', '');
    return [[key, inner.startsWith('#/$defs/') ? at + (names.get(id) ?? id) : inner]];
  });
