import type { z } from 'zod';

const marked = new WeakSet<object>();

/**
 * Marks a text of an answer that the service made, or that a pattern bounds: ids of ours, slugs, refs. Every other text
 * counts as written by others, and tools list it in `untrusted`.
 */
export function ours<Schema extends z.ZodType>(schema: Schema): Schema {
  marked.add(schema);
  return schema;
}

export const isOurs = (schema: z.ZodType): boolean => marked.has(schema);
