import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnyCommand } from '../kernel/command.ts';

export type ToolSchema = Tool['inputSchema'];

/** Members that only MCP tools have: the key of a call that must not happen twice, and a bound on what comes back. */
const toolMembers = {
  requestId: { type: 'string', description: 'The same id gets the first answer again' },
  maxBytes: { type: 'integer', description: 'Bound on the answer (8192)' },
};

/** What a tool takes, as lean as it can be said: an agent pays for every word, and dispatch validates strictly anyway. */
export function toolSchema(command: AnyCommand<never>): ToolSchema {
  const { properties = {}, required } = lean(
    z.toJSONSchema(command.input, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  ) as ToolSchema;
  for (const [name, schema] of Object.entries(command.input.shape as Record<string, z.ZodType>))
    if (schema.meta()?.['x-restOnly'] === true) delete properties[name];
  const extra = command.effect === 'write' ? { requestId: toolMembers.requestId } : { maxBytes: toolMembers.maxBytes };
  return { type: 'object', properties: { ...properties, ...extra }, ...(required && { required }) };
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
  'x-toolDefault',
  'x-restOnly',
]);
const safeIntegers = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** Drops what only a validator needs. Names of members are kept, whatever they are called. */
function lean(schema: unknown, isMembers = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lean(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => isMembers || !(dropped.has(key) || safeIntegers.has(value)))
      .map(([key, value]) => [key, lean(value, !isMembers && key === 'properties')]),
  );
}
