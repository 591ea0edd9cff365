import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type AnyCommand, takesNodeRef } from '../kernel/command.ts';
import { isObject } from '../kernel/is-object.ts';

export type ToolSchema = Tool['inputSchema'];

/** Members that only MCP tools have: the key of a call that must not happen twice, and a limit on the size of the answer. */
const toolMembers = {
  requestId: { type: 'string' },
  maxBytes: { type: 'integer' },
};
const ref = { type: 'string', description: 'plan/node' };
/** The member `view` of a tool with brief answers. */
const view = { enum: ['full'] };

/** The input of a tool, as short as possible: an agent pays for every word, and dispatch validates strictly anyway. */
export function toolSchema(command: AnyCommand<never>): ToolSchema {
  const whole = z.toJSONSchema(command.input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  // A description mentions null only if it has a meaning of its own.
  const keepNull = /\bnull\b/.test(command.description);
  const how = { tool: command.name, keepNull, named: whole.$defs ?? {} };
  const { properties = {}, required } = lean(whole, how) as ToolSchema;
  for (const [name, schema] of Object.entries<z.ZodType>(command.input.shape))
    if (schema.meta()?.['x-restOnly'] === true) delete properties[name];
  const { requestId, maxBytes } = toolMembers;
  // A waiting tool answers with a few bytes.
  const extra = command.effect === 'write' ? { requestId } : command.waits ? {} : { maxBytes };
  const named = takesNodeRef(command);
  const needed = required?.filter((member) => !(named && (member === 'plan' || member === 'node')));
  return {
    type: 'object',
    properties: { ...(named && { ref }), ...properties, ...(command.brief && { view }), ...extra },
    ...(needed && needed.length > 0 && { required: needed }),
  };
}

const dropped = new Set([
  '$schema',
  '$defs',
  'id',
  'pattern',
  'format',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'x-toolDefault',
  'x-restOnly',
  'x-plain',
  'x-inWords',
  'x-spelledOutIn',
]);

type Schema = Readonly<Record<string, unknown>>;
/** `named`: the schemas that other parts refer to. */
type How = { tool: string; keepNull: boolean; named: Schema };

/** Inlined, because a list of tools has no place for shared definitions. */
function resolved(schema: unknown, named: Schema): unknown {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
  const { $ref, ...own } = schema;
  const target = named[$ref.replace('#/$defs/', '')];
  return isObject(target) ? { ...target, ...own } : own;
}

/** Removes keywords that only a validator needs. Members with such names are kept. */
function lean(given: unknown, how: How, isMembers = false): unknown {
  const schema = isMembers ? given : resolved(given, how.named);
  if (Array.isArray(schema)) return schema.map((item) => withoutObject(lean(item, how)));
  if (!isObject(schema)) return schema;
  const one = isMembers ? schema : shortNull(schema, how.keepNull);
  const elsewhere = isMembers ? undefined : one['x-spelledOutIn'];
  if (!isMembers && one['x-inWords'] === true) return { type: one.type, description: one.description };
  if (typeof elsewhere === 'string' && elsewhere !== how.tool)
    return { type: 'object', description: `As in ${elsewhere}` };
  return Object.fromEntries(
    Object.entries(one)
      .filter(([key]) => isMembers || !(dropped.has(key) || isSaid(key, one)))
      .map(([key, value]) => [key, lean(value, how, !isMembers && key === 'properties')]),
  );
}

/** An enum needs no type, and a member with a clear name no description. */
const isSaid = (key: string, schema: Schema): boolean =>
  (key === 'type' && ('const' in schema || 'enum' in schema)) || (key === 'description' && schema['x-plain'] === true);

/** A union lists only the members of each variant, since all are objects. */
function withoutObject(schema: unknown): unknown {
  if (!isObject(schema) || !('properties' in schema)) return schema;
  const { type: _, ...others } = schema;
  return others;
}

/** Null as an additional type; omitted if it has no special meaning, because a model does not need it. */
function shortNull(schema: Schema, keepNull: boolean): Schema {
  const { type, anyOf, ...others } = schema;
  if (Array.isArray(type)) return keepNull ? schema : { ...schema, type: type.find((one) => one !== 'null') };
  if (!Array.isArray(anyOf)) return schema;
  const [only, ...more]: Schema[] = anyOf.filter((option: Schema) => option.type !== 'null');
  if (only === undefined || more.length > 0) return schema;
  if (!keepNull) return { ...only, ...others };
  return typeof only.type === 'string' && !only.enum ? { ...only, ...others, type: [only.type, 'null'] } : schema;
}

const next = { anyOf: [{ type: 'object', properties: { offset: { type: 'integer' } } }, { type: 'null' }] };

/**
 * The output schema of a tool, for clients that check answers or generate types (`?schemas=true`). Members that every
 * answer may have in addition, such as `untrusted` and `truncated`, are allowed and not listed.
 */
export function toolOutput({ output, brief }: AnyCommand<never>): NonNullable<Tool['outputSchema']> {
  const schemas = [output, ...(brief ? [brief.output] : [])].map((one) => schemaOf(one));
  const options = schemas.map(({ $defs: _, $schema: __, ...own }) => own);
  const $defs = Object.assign({}, ...schemas.map((one) => one.$defs ?? {}));
  const [only = {}, ...more] = options;
  const isPlain = more.length === 0 && only.type === 'object';
  const isObjects = options.every(({ type, anyOf }) => type === 'object' || anyOf !== undefined);
  return {
    ...(isPlain ? only : isObjects ? { anyOf: options } : {}),
    type: 'object',
    ...(Object.keys($defs).length > 0 && { $defs }),
  };
}

function schemaOf(output: z.ZodType): Schema {
  const schema = open(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })) as Schema;
  if (output.meta()?.list !== true || !isObject(schema.properties)) return schema;
  const { items, total } = schema.properties;
  return { ...schema, properties: { items, total, next }, required: ['items', 'total', 'next'] };
}

/** A tool may answer with more members than REST. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !(key === 'additionalProperties' && value === false));
  return Object.fromEntries(entries.map(([key, value]) => [key, open(value)]));
}
