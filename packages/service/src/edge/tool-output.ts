import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnyCommand } from '../kernel/command.ts';
import { isObject } from '../kernel/is-object.ts';

type Schema = Readonly<Record<string, unknown>>;

const next = { anyOf: [{ type: 'object', properties: { offset: { type: 'integer' } } }, { type: 'null' }] };

/**
 * What a tool answers, for clients that check answers or make types of them (`?schemas=true`). Members that every answer
 * may have besides, such as `untrusted` and `truncated`, are allowed and not listed.
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

/** A tool may say more than REST does. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !(key === 'additionalProperties' && value === false));
  return Object.fromEntries(entries.map(([key, value]) => [key, open(value)]));
}
