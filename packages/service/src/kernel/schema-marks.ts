import { z } from 'zod';

const marked = new WeakSet<object>();

/**
 * Marks a text in an answer that the service made or that a pattern limits: our own ids, slugs, refs. Every other text
 * counts as written by others, and tools list it in `untrusted`.
 */
export function ours<Schema extends z.ZodType>(schema: Schema): Schema {
  marked.add(schema);
  return schema;
}

export const isOurs = (schema: z.ZodType): boolean => marked.has(schema);

/** Names schemas, so that the reference describes each only once and generated clients get a type of that name. */
export function nameComponents(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) z.globalRegistry.add(schema, { id });
}
