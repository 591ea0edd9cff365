import type { ItemKey, SharedItem } from '../../kernel/host-table.ts';
import type { Kind, Shared } from './contract.ts';

/** What this host observes now, by kind and id. */
export type Observed = { [K in Kind]?: Iterable<readonly [id: string, body: Shared[K]]> };
export type News = { changed: SharedItem[]; gone: ItemKey[] };

/** What was last shared, so that only what reads differently is written again. */
export class ShareBook {
  readonly #shared = new Map<string, { key: ItemKey; body: object; text: string }>();

  /** What the store holds of this host from before. */
  begin(items: readonly SharedItem[]): void {
    this.#shared.clear();
    for (const item of items) this.wrote({ changed: [item], gone: [] });
  }

  /** Compared with all there is of the kinds that are given; other kinds are left as they are. */
  news(observed: Observed): News {
    const changed: SharedItem[] = [];
    const seen = new Set<string>();
    for (const kind of Object.keys(observed) as Kind[]) {
      for (const [id, body] of observed[kind] ?? []) {
        seen.add(nameOf({ kind, id }));
        const before = this.#shared.get(nameOf({ kind, id }));
        if (before?.body === body) continue;
        if (before?.text === JSON.stringify(body)) before.body = body;
        else changed.push({ kind, id, body });
      }
    }
    const gone = [...this.#shared].flatMap(([name, { key }]) => (key.kind in observed && !seen.has(name) ? [key] : []));
    return { changed, gone };
  }

  /** Only once it is written: what could not be is news again the next time. */
  wrote({ changed, gone }: News): void {
    for (const key of gone) this.#shared.delete(nameOf(key));
    for (const { kind, id, body } of changed) {
      this.#shared.set(nameOf({ kind, id }), { key: { kind, id }, body, text: JSON.stringify(body) });
    }
  }
}

const nameOf = ({ kind, id }: ItemKey): string => `${kind} ${id}`;

/** Pieces that one statement may carry. */
export function* inPieces(news: News, most = 2_000): Iterable<News> {
  const { changed, gone } = news;
  for (let from = 0; from === 0 || from < Math.max(changed.length, gone.length); from += most) {
    yield { changed: changed.slice(from, from + most), gone: gone.slice(from, from + most) };
  }
}
