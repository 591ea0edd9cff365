import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Descriptor } from './contract.ts';
import { modelName, pushSource, sourceKey } from './decide.ts';
import { type ComputedModel, createModelComputation } from './event-model-view.ts';
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
export async function openSources(store: SourceStore): Promise<{ sources: Sources; ignored: readonly StoredSource[] }> {
  const found = [...(await store.load())].sort((a, b) => (a.pushedAt < b.pushedAt ? -1 : 1));
  const name = modelName(found);
  const held = new Map(
    found.filter(({ descriptor }) => descriptor.name === name).map((stored) => [sourceKey(stored.source), stored]),
  );
  return {
    sources: sourcesOver(store, held),
    ignored: found.filter(({ descriptor }) => descriptor.name !== name),
  };
}

function sourcesOver(store: SourceStore, held: Map<string, StoredSource>): Sources {
  const compute = createModelComputation();
  let computed: ComputedModel | null = null;
  // A push decides on what the one before it left, also while that one is still being written.
  const queue = new SerialQueue();
  const changed = (change: () => void) => {
    change();
    computed = null;
  };
  return {
    current() {
      const name = modelName(held.values());
      if (name === null) return null;
      computed ??= compute(name, [...held.values()]);
      return computed;
    },
    push: (stored) =>
      queue.run(async () => {
        const refusal = pushSource(stored.descriptor, [...held.values()]);
        if (refusal) return refusal;
        const failed = await refuseIfNotWritten(() => store.write(stored));
        if (failed) return failed;
        changed(() => held.set(sourceKey(stored.source), stored));
        return { name: stored.descriptor.name };
      }),
    remove: (source) =>
      queue.run(async () => {
        // Also what could not be read at start has a file that must go.
        const failed = await refuseIfNotWritten(() => store.remove(source));
        const stored = held.get(sourceKey(source));
        if (failed || !stored) return failed ?? null;
        changed(() => held.delete(sourceKey(source)));
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
