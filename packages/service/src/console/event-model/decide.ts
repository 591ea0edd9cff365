import { z } from 'zod';
import { isFileName } from '../../kernel/file-name.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Descriptor } from './contract.ts';
import type { StoredSource } from './ports.ts';
import { order } from './types.ts';

/** Names that reach the disk as file names, and must not hide an address of the console. */
export const sourceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    'a source name is 1 to 100 letters, digits, - and _, and starts with a letter or a digit',
  )
  .refine((name) => !isRoute(name), 'coverage and diagram are addresses of the console; push under another name')
  .refine(isFileName, 'Windows reserves this name (nul, con, aux and the like); push under another name');

export const isRoute = (name: string): boolean => ['coverage', 'diagram'].includes(name.toLowerCase());

export const sourceKey = (source: string): string => source.toLowerCase();

/** The name that all sources share; null while there is none. */
export const modelName = (stored: Iterable<StoredSource>): string | null => {
  for (const { descriptor } of stored) return descriptor.name;
  return null;
};

/** One console serves one model: whoever pushes another name is told who holds the name and how to free it. */
export function pushSource(descriptor: Descriptor, held: readonly StoredSource[]): Refusal | undefined {
  const serving = modelName(held);
  if (serving === null || serving === descriptor.name) return undefined;
  return refuseName(descriptor.name, serving, held.map(({ source }) => source).sort(order));
}

function refuseName(pushed: string, serving: string, sources: readonly string[]): Refusal {
  const deletes = sources.map((source) => `DELETE /api/event-model/${source}`);
  const detail =
    `This push names the model ${pushed}, but the console serves ${serving}, held by ${sources.join(', ')}. ` +
    `Push under the name ${serving}, or free it with ${deletes.join(' and ')}.`;
  return refuse('model_name_mismatch', detail, { serving, pushed, sources });
}
