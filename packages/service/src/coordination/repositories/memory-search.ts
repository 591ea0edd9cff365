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

/**
 * Entries and index are text, because reading them back takes longer than all else of a start and grows with the notes of
 * years: that waits for the first search. The ids, a list in JSON, say until then what is there.
 */
type SavedSearch = { ids: string; entries: string; index: string };
type Change =
  | { kind: 'put'; entry: SearchEntry; sequence: number }
  | { kind: 'drop'; id: string }
  | { kind: 'supersede'; id: string; by: string };

type Unmade = { saved: SavedSearch; ids: Set<string> | null; changes: Change[] };

/** Beyond this many changes what was read is made after all: they take memory, too. */
const mostChanges = 10_000;

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
  #entries = new Map<string, IndexedEntry>();
  /** What was read and not yet made, with what has changed since, in order; null once it is made. */
  #unmade: Unmade | null = null;

  apply(event: RecordedEvent): void {
    if (isStored(event, 'repository') && event.type === 'note_added') this.#addNote(event);
  }

  /** Takes the note of a claim in place of the one before it; without a text nothing is left of it. */
  putClaimNote({ id, ref, text, by, at, sequence }: FoundClaimNote): void {
    const where = { kind: 'claim', repository: null, ref, topic: null } as const;
    if (text === null || text === '') this.#change({ kind: 'drop', id });
    else this.#change({ kind: 'put', entry: { ...where, id, text, by, at, supersededBy: null }, sequence });
  }

  reset(): void {
    this.#index = newIndex();
    this.#entries.clear();
    this.#unmade = null;
  }

  save(): unknown {
    if (this.#unmade?.changes.length === 0) return this.#unmade.saved;
    this.#make();
    const entries = JSON.stringify([...this.#entries.values()]);
    const ids = JSON.stringify([...this.#entries.keys()]);
    return { ids, entries, index: JSON.stringify(this.#index) } satisfies SavedSearch;
  }

  load(saved: unknown): void {
    this.#unmade = { saved: saved as SavedSearch, ids: null, changes: [] };
  }

  #make(): void {
    if (!this.#unmade) return;
    const { saved, changes } = this.#unmade;
    this.#unmade = null;
    this.#index = MiniSearch.loadJSON<Words>(saved.index, indexOptions);
    this.#entries = new Map((JSON.parse(saved.entries) as IndexedEntry[]).map((one) => [one.entry.id, one]));
    for (const change of changes) this.#do(change);
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
    if (supersedes !== null) this.#change({ kind: 'supersede', id: supersedes, by: id });
    const repository = `${owner}/${name}`;
    const { by, at, sequence } = event;
    const entry = { repository, ref: null, id, topic, text, by, at, supersededBy: null };
    this.#change({ kind: 'put', entry: { kind: 'note', ...entry }, sequence });
  }

  #change(change: Change): void {
    if (this.#unmade) this.#keepForLater(this.#unmade, change);
    else this.#do(change);
  }

  #keepForLater(unmade: Unmade, change: Change): void {
    unmade.ids ??= new Set(JSON.parse(unmade.saved.ids) as string[]);
    const { ids, changes } = unmade;
    if (change.kind === 'put') ids.add(change.entry.id);
    else if (!ids.has(change.id)) return;
    else if (change.kind === 'drop') ids.delete(change.id);
    if (changes.push(change) > mostChanges) this.#make();
  }

  #do(change: Change): void {
    if (change.kind === 'put') this.#put(change);
    else if (change.kind === 'drop') this.#drop(change.id);
    else this.#supersede(change);
  }

  #put({ entry, sequence }: Extract<Change, { kind: 'put' }>): void {
    if (this.#entries.has(entry.id)) this.#index.replace(wordsOf(entry));
    else this.#index.add(wordsOf(entry));
    this.#entries.set(entry.id, { entry, sequence });
  }

  #supersede({ id, by }: Extract<Change, { kind: 'supersede' }>): void {
    const old = this.#entries.get(id);
    if (old) old.entry.supersededBy = by;
  }

  #drop(id: string): void {
    if (this.#entries.delete(id)) this.#index.discard(id);
  }
}

const wordsOf = ({ id, text, topic, repository, ref }: SearchEntry): Words => ({
  id,
  text,
  topic: topic ?? '',
  where: repository ?? ref ?? '',
});
