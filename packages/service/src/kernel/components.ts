import { z } from 'zod';

/** Names schemas for the reference, which describes each once: generated clients get a type of that name. */
export function nameComponents(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) z.globalRegistry.add(schema, { id });
}
