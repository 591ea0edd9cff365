import type { ItemKey, SharedItem } from '../../kernel/host-table.ts';
import type { SharedByKind, SharedKind } from './contract.ts';

/** The items that this host observes now, by kind and id. */
export type ObservedItems = { [K in SharedKind]?: Iterable<readonly [id: string, body: SharedByKind[K]]> };
export type ShareChanges = { changed: SharedItem[]; gone: ItemKey[] };

/** The items that were last shared, so that only changes are written again. */
export class LastShared {
  readonly #shared = new Map<string, { key: ItemKey; body: object; text: string }>();

  /** Starts from what the store already holds of this host. */
  reset(items: readonly SharedItem[]): void {
    this.#shared.clear();
    for (const item of items) this.recordWritten({ changed: [item], gone: [] });
  }

  /** Compares everything of the given kinds; other kinds are not changed. */
  changesSince(observed: ObservedItems): ShareChanges {
    const changed: SharedItem[] = [];
    const observedNames = new Set<string>();
    for (const kind of Object.keys(observed) as SharedKind[]) {
      for (const [id, body] of observed[kind] ?? []) {
        observedNames.add(nameOf({ kind, id }));
        const before = this.#shared.get(nameOf({ kind, id }));
        if (before?.body === body) continue;
        if (before?.text === JSON.stringify(body)) before.body = body;
        else changed.push({ kind, id, body });
      }
    }
    const gone = [...this.#shared].flatMap(([name, { key }]) =>
      key.kind in observed && !observedNames.has(name) ? [key] : [],
    );
    return { changed, gone };
  }

  /** Call only after the write succeeded, so that failed items are sent again. */
  recordWritten({ changed, gone }: ShareChanges): void {
    for (const key of gone) this.#shared.delete(nameOf(key));
    for (const { kind, id, body } of changed) {
      this.#shared.set(nameOf({ kind, id }), { key: { kind, id }, body, text: JSON.stringify(body) });
    }
  }
}

const nameOf = ({ kind, id }: ItemKey): string => `${kind} ${id}`;

/** Batches small enough for one statement. */
export function* inBatches(changes: ShareChanges, maxItems = 2_000): Iterable<ShareChanges> {
  const { changed, gone } = changes;
  for (let from = 0; from === 0 || from < Math.max(changed.length, gone.length); from += maxItems) {
    yield { changed: changed.slice(from, from + maxItems), gone: gone.slice(from, from + maxItems) };
  }
}
