import { z } from 'zod';
import { type RunTask, runUninterrupted, type Task } from '../../service/src/event-loop/task.ts';
import { SerialQueue } from '../../service/src/kernel/one-at-a-time.ts';
import { type Refusal, refuse } from '../../service/src/kernel/outcome.ts';
import { isFileName } from '../../service/src/kernel/text.ts';
import type { Descriptor, StoredSource } from './contract.ts';
import { maxSlices } from './descriptor.ts';
import { type ComputedModel, createModelComputation } from './model-view.ts';
import { order } from './types.ts';

/** Durable storage of sources. `write` and `remove` resolve once the change is on disk. */
export type SourceStore = {
  /** Every readable source; the others are skipped and logged. */
  load(): Promise<readonly StoredSource[]>;
  write(stored: StoredSource): Promise<void>;
  remove(source: string): Promise<void>;
};

/** The sources of the console's one model, in memory and on disk. */
export type Sources = {
  /** Null before any push. */
  current(): ComputedModel | null;
  push(stored: { source: string; descriptor: Descriptor; pushedAt: string }): Promise<Refusal | { name: string }>;
  /** The name of its model; null if there was no such source. */
  remove(source: string): Promise<Refusal | { name: string } | null>;
};

/**
 * Opens the stored sources. If they name several models, the one that was pushed first is served; the sources of the
 * others stay on disk and are returned as `ignored`.
 */
export async function openSources(
  store: SourceStore,
  runTask: RunTask = runUninterrupted,
): Promise<{ sources: Sources; ignored: readonly StoredSource[] }> {
  const found = [...(await store.load())].sort((a, b) => (a.pushedAt < b.pushedAt ? -1 : 1));
  const name = modelName(found);
  const held = new Map(
    found.filter(({ descriptor }) => descriptor.name === name).map((stored) => [sourceKey(stored.source), stored]),
  );
  return {
    sources: await sourcesOver(store, held, runTask),
    ignored: found.filter(({ descriptor }) => descriptor.name !== name),
  };
}

async function sourcesOver(store: SourceStore, held: Map<string, StoredSource>, runTask: RunTask): Promise<Sources> {
  const compute = createModelComputation();
  const computeHeld = async () => {
    const name = modelName(held.values());
    return name === null ? null : await runTask(compute(name, [...held.values()]));
  };
  let computed = await computeHeld();
  const sizes = new Map<string, SourceSize>();
  for (const [key, { source, descriptor }] of held) sizes.set(key, await runTask(sizeOf(source, descriptor)));
  // A push is decided on the result of the previous one, even while that one is being written.
  const queue = new SerialQueue();
  return {
    current: () => computed,
    push: (stored) =>
      queue.run(async () => {
        const key = sourceKey(stored.source);
        const size = await runTask(sizeOf(stored.source, stored.descriptor));
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
        // A source that could not be read at start still has a file to remove.
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
    return refuse('store_unavailable', 'The event model could not be written to disk. Nothing was changed; try again.');
  }
}

/** A source name is a file name and the last segment of a URL, so it must not be a route of the console. */
export const sourceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    'a source name is 1 to 100 letters, digits, - and _, and starts with a letter or a digit',
  )
  .refine((name) => !isRoute(name), 'coverage and diagram are routes of the console; use another name')
  .refine(isFileName, 'Windows reserves this name (nul, con, aux and the like); use another name');

export const isRoute = (name: string): boolean => ['coverage', 'diagram'].includes(name.toLowerCase());

export const sourceKey = (source: string): string => source.toLowerCase();

/** The name that all sources share; null without sources. */
export const modelName = (stored: Iterable<StoredSource>): string | null => {
  for (const { descriptor } of stored) return descriptor.name;
  return null;
};

/** One console serves one model. A refusal names the sources of the current model and how to remove them. */
export function pushSource(descriptor: Descriptor, held: readonly StoredSource[]): Refusal | undefined {
  const serving = modelName(held);
  if (serving === null || serving === descriptor.name) return undefined;
  return refuseName(descriptor.name, serving, held.map(({ source }) => source).sort(order));
}

function refuseName(pushed: string, serving: string, sources: readonly string[]): Refusal {
  const deletes = sources.map((source) => `DELETE /api/event-model/${source}`);
  const detail =
    `This push names the model ${pushed}, but the console serves ${serving}, pushed by ${sources.join(', ')}. ` +
    `Use the name ${serving}, or remove its sources first: ${deletes.join(' and ')}.`;
  return refuse('model_name_mismatch', detail, { serving, pushed, sources });
}

/** `characters` is the length of the source as JSON. */
export type SourceSize = { source: string; slices: number; characters: number };

/** The limit of a single push. */
const maxCharacters = 8 * 1024 * 1024;

export function* sizeOf(source: string, descriptor: Descriptor): Task<SourceSize> {
  const { slices, aggregates, hotspots, ...rest } = descriptor;
  let characters = JSON.stringify(rest).length;
  for (const item of [...slices, ...aggregates, ...hotspots]) {
    characters += JSON.stringify(item).length;
    yield;
  }
  return { source, slices: slices.length, characters };
}

/** All sources are kept in memory and served as one model, so a push and all sources together have the same limit. */
export function refuseTooLarge(pushed: SourceSize, others: readonly SourceSize[]): Refusal | undefined {
  const all = [...others, pushed];
  const slices = all.reduce((sum, each) => sum + each.slices, 0);
  const characters = all.reduce((sum, each) => sum + each.characters, 0);
  if (slices <= maxSlices && characters <= maxCharacters) return undefined;
  const total = slices > maxSlices ? `${slices} slices` : `${Math.ceil(characters / 1024 / 1024)} MiB`;
  const [largest] = others.toSorted((a, b) => b.characters - a.characters);
  const remove = largest ? `, or remove a source: DELETE /api/event-model/${largest.source}` : '';
  return refuse(
    'body_too_large',
    `The sources of a model may have ${maxSlices} slices and 8 MiB in total; with this push they would have ${total}. Push less${remove}.`,
  );
}
