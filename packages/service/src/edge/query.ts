import { z } from 'zod';
import { unwrap } from '../kernel/shape.ts';

/** Never throws, whatever precedes the question mark: even `//`, which is not a valid address, arrives here. */
export function queryIn(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/**
 * Query text as the schema's own types. What does not read as its type stays text, so that the schema faults it by name;
 * a single member given twice becomes a list, which the schema faults too.
 */
export function readQuery(query: Readonly<Record<string, unknown>>, shape: Readonly<Record<string, z.ZodType>>) {
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const schema = shape[name];
    read[name] = schema ? convert(text, schema) : text;
  }
  return read;
}

function convert(text: unknown, schema: z.core.$ZodType): unknown {
  const type = unwrap(schema);
  if (type instanceof z.ZodArray) return [text].flat().map((item) => convert(item, type.element));
  if (typeof text !== 'string') return text;
  if (type instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
