import { z } from 'zod';
import { isFileName } from '../../service/src/kernel/file-name.ts';
import { type InTurns, type Steps, withoutTurns } from '../../service/src/kernel/in-turns.ts';
import { type Refusal, refuse } from '../../service/src/kernel/outcome.ts';
import { SerialQueue } from '../../service/src/kernel/serial-queue.ts';
import type { Descriptor, StoredSource } from './contract.ts';
import { mostSlices } from './descriptor.ts';
import { type ComputedModel, createModelComputation } from './model-view.ts';
import { order } from './types.ts';

/** Where sources survive a restart. What `write` and `remove` resolve to is on the disk. */
export type SourceStore = {
  /** Everything readable; what is not is skipped, and said. */
  load(): Promise<readonly StoredSource[]>;
  write(stored: StoredSource): Promise<void>;
  remove(source: string): Promise<void>;
};

/** All sources of the console's one model, in memory and on the disk. */
export type Sources = {
  /** Null before any push. */
  current(): ComputedModel | null;
  push(ask: { source: string; descriptor: Descriptor; pushedAt: string }): Promise<Refusal | { name: string }>;
  /** The name of the model that it was part of; null when there was no such source. */
  remove(source: string): Promise<Refusal | { name: string } | null>;
};

/**
 * Opens what the store holds. Should files of several models have come together, the name that was pushed first stands
 * and the rest stays on the disk, named in `ignored`.
 */
export async function openSources(
  store: SourceStore,
  inTurns: InTurns = withoutTurns,
): Promise<{ sources: Sources; ignored: readonly StoredSource[] }> {
  const found = [...(await store.load())].sort((a, b) => (a.pushedAt < b.pushedAt ? -1 : 1));
  const name = modelName(found);
  const held = new Map(
    found.filter(({ descriptor }) => descriptor.name === name).map((stored) => [sourceKey(stored.source), stored]),
  );
  return {
    sources: await sourcesOver(store, held, inTurns),
    ignored: found.filter(({ descriptor }) => descriptor.name !== name),
  };
}

async function sourcesOver(store: SourceStore, held: Map<string, StoredSource>, inTurns: InTurns): Promise<Sources> {
  const compute = createModelComputation();
  const computeHeld = async () => {
    const name = modelName(held.values());
    return name === null ? null : await inTurns(compute(name, [...held.values()]));
  };
  let computed = await computeHeld();
  const sizes = new Map<string, SourceSize>();
  for (const [key, { source, descriptor }] of held) sizes.set(key, await inTurns(sizeOf(source, descriptor)));
  // A push decides on what the one before it left, also while that one is still being written.
  const queue = new SerialQueue();
  return {
    current: () => computed,
    push: (stored) =>
      queue.run(async () => {
        const key = sourceKey(stored.source);
        const size = await inTurns(sizeOf(stored.source, stored.descriptor));
        const others = [...sizes].filter(([source]) => source !== key).map(([, other]) => other);
        const refusal = pushSource(stored.descriptor, [...held.values()]) ?? refuseTooLarge(size, others);
        if (refusal) return refusal;
        const failed = await refuseIfNotWritten(() => store.write(stored));
        if (failed) return failed;
        held.set(key, stored);
        sizes.set(key, size);
        computed = await computeHeld();
        return { name: stored.descriptor.name };
      }),
    remove: (source) =>
      queue.run(async () => {
        // Also what could not be read at start has a file that must go.
        const failed = await refuseIfNotWritten(() => store.remove(source));
        const stored = held.get(sourceKey(source));
        if (failed || !stored) return failed ?? null;
        held.delete(sourceKey(source));
        sizes.delete(sourceKey(source));
        computed = await computeHeld();
        return { name: stored.descriptor.name };
      }),
  };
}

async function refuseIfNotWritten(write: () => Promise<void>): Promise<Refusal | undefined> {
  try {
    await write();
    return undefined;
  } catch {
    return refuse(
      'store_unavailable',
      'The event model could not be written to the disk. Nothing has changed; try again.',
    );
  }
}

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

/** How much a source is, with its length as JSON. */
export type SourceSize = { source: string; slices: number; characters: number };

/** What one push may be. */
const mostCharacters = 8 * 1024 * 1024;

export function* sizeOf(source: string, descriptor: Descriptor): Steps<SourceSize> {
  const { slices, aggregates, hotspots, ...rest } = descriptor;
  let characters = JSON.stringify(rest).length;
  for (const item of [...slices, ...aggregates, ...hotspots]) {
    characters += JSON.stringify(item).length;
    yield;
  }
  return { source, slices: slices.length, characters };
}

/** All sources are kept in memory and served as one model: together they are no more than one may be. */
export function refuseTooLarge(pushed: SourceSize, others: readonly SourceSize[]): Refusal | undefined {
  const all = [...others, pushed];
  const slices = all.reduce((sum, each) => sum + each.slices, 0);
  const characters = all.reduce((sum, each) => sum + each.characters, 0);
  if (slices <= mostSlices && characters <= mostCharacters) return undefined;
  const would = slices > mostSlices ? `${slices} slices` : `${Math.ceil(characters / 1024 / 1024)} MiB`;
  const [largest] = others.toSorted((a, b) => b.characters - a.characters);
  const free = largest ? `, or free room with DELETE /api/event-model/${largest.source}` : '';
  return refuse(
    'body_too_large',
    `All sources of a model may have ${mostSlices} slices and 8 MiB together; with this push they would have ${would}. Push less${free}.`,
  );
}
