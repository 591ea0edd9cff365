import { type InTurns, withoutTurns } from '../../kernel/in-turns.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Descriptor } from './contract.ts';
import { modelName, pushSource, sourceKey } from './decide.ts';
import { type ComputedModel, createModelComputation } from './event-model-view.ts';
import { refuseTooLarge, type SourceSize, sizeOf } from './model-size.ts';
import type { SourceStore, StoredSource } from './ports.ts';

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
