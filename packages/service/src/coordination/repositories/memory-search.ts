import MiniSearch from 'minisearch';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { MemoryHit } from './contract.ts';

type SearchEntry = Omit<MemoryHit, 'repository'> & { repository: string | null };
/** The note of a claim, as its room hands it on. */
export type FoundClaimNote = { id: string; ref: string; text: string | null; by: string; at: string; sequence: number };
type IndexedEntry = { entry: SearchEntry; sequence: number };

const wordsIn = (text: string): string[] => text.split(/[\s\p{Z}\p{P}]+/u);

/** Prefixes of up to two letters match too many words; only the last word, still being typed, may be one. */
const prefix = (word: string, at: number, words: string[]): boolean => word.length > 2 || at === words.length - 1;

type Words = { id: string; text: string; topic: string; where: string };
const indexOptions = {
  fields: ['text', 'topic', 'where'],
  tokenize: wordsIn,
  searchOptions: { prefix, boost: { topic: 2 }, combineWith: 'AND' as const },
};
const newIndex = () => new MiniSearch<Words>(indexOptions);

/** The index is text, because reading it back takes longer than all else: that waits for the first search. */
type SavedSearch = { entries: Map<string, IndexedEntry>; index: string };

/** Fuzzy matching costs much more, so it runs only where the exact words find fewer hits than this. */
const enoughHits = 20;
const fuzzyOptions = { fuzzy: (term: string) => (term.length > 3 ? 0.2 : false) };

/** Every word costs a walk through the index: each is searched once, and of a long text only the longest words. */
const maxWords = 16;

function searchWords(text: string): string {
  const words = [...new Set(wordsIn(text.toLowerCase()))];
  const chosen = words.length > maxWords ? words.sort((a, b) => b.length - a.length).slice(0, maxWords) : words;
  return chosen.join(' ');
}

/**
 * Words over notes and claim notes, folded from the log, so that every host and every store finds the same in the same
 * order. A claim's note replaces the one before it; a superseded note stays and comes last.
 */
export class MemorySearch implements SavableProjection {
  readonly savedAs = 'memory';
  #index = newIndex();
  /** An index that was read and not yet made, with what has changed since; null once it is made. */
  #unmade: { index: string; changed: Map<string, 'put' | 'drop'> } | null = null;
  #entries = new Map<string, IndexedEntry>();

  apply(event: RecordedEvent): void {
    if (isStored(event, 'repository') && event.type === 'note_added') this.#addNote(event);
  }

  /** Takes the note of a claim in place of the one before it; without a text nothing is left of it. */
  putClaimNote({ id, ref, text, by, at, sequence }: FoundClaimNote): void {
    if (text === null || text === '') this.#drop(id);
    else
      this.#put({ kind: 'claim', repository: null, ref, id, topic: null, text, by, at, supersededBy: null }, sequence);
  }

  reset(): void {
    this.#index = newIndex();
    this.#entries.clear();
    this.#unmade = null;
  }

  save(): unknown {
    this.#make();
    return { entries: this.#entries, index: JSON.stringify(this.#index) } satisfies SavedSearch;
  }

  load(saved: unknown): void {
    const { entries, index } = saved as SavedSearch;
    this.#entries = entries;
    this.#unmade = { index, changed: new Map() };
  }

  #make(): void {
    if (!this.#unmade) return;
    const { index, changed } = this.#unmade;
    this.#unmade = null;
    this.#index = MiniSearch.loadJSON<Words>(index, indexOptions);
    for (const [id, change] of changed) {
      const entry = this.#entries.get(id)?.entry;
      if (this.#index.has(id)) this.#index.discard(id);
      if (change === 'put' && entry) this.#index.add(wordsOf(entry));
    }
  }

  /** Best first; equals in the order in which they were written, newest first. */
  find(text: string): MemoryHit[] {
    this.#make();
    const words = searchWords(text);
    const asWritten = this.#index.search(words);
    const hits = asWritten.length >= enoughHits ? asWritten : this.#index.search(words, fuzzyOptions);
    const found = hits.flatMap(({ id, score }) => {
      const indexed = this.#entries.get(id as string);
      return indexed ? [{ ...indexed, score }] : [];
    });
    found.sort(
      (a, b) =>
        Number(a.entry.supersededBy !== null) - Number(b.entry.supersededBy !== null) ||
        b.score - a.score ||
        b.sequence - a.sequence,
    );
    return found.map(({ entry }) => entry);
  }

  #addNote(event: Extract<StoredEvent<'repository'>, { type: 'note_added' }>): void {
    const { owner, name, id, topic, text, supersedes } = event.data;
    const old = supersedes === null ? undefined : this.#entries.get(supersedes);
    if (old) old.entry.supersededBy = id;
    const repository = `${owner}/${name}`;
    const { by, at, sequence } = event;
    this.#put({ kind: 'note', repository, ref: null, id, topic, text, by, at, supersededBy: null }, sequence);
  }

  #put(entry: SearchEntry, sequence: number): void {
    const { id } = entry;
    if (this.#unmade) this.#unmade.changed.set(id, 'put');
    else if (this.#entries.has(id)) this.#index.replace(wordsOf(entry));
    else this.#index.add(wordsOf(entry));
    this.#entries.set(id, { entry, sequence });
  }

  #drop(id: string): void {
    if (!this.#entries.delete(id)) return;
    if (this.#unmade) this.#unmade.changed.set(id, 'drop');
    else this.#index.discard(id);
  }
}

const wordsOf = ({ id, text, topic, repository, ref }: SearchEntry): Words => ({
  id,
  text,
  topic: topic ?? '',
  where: repository ?? ref ?? '',
});
