import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { MemoryHit } from './contract.ts';
import { type IndexedText, NoteIndex } from './note-index.ts';

type SearchEntry = Omit<MemoryHit, 'repository'> & { repository: string | null };
/** The note of a claim, as its room provides it. */
export type FoundClaimNote = { id: string; ref: string; text: string | null; by: string; at: string; sequence: number };
type IndexedEntry = { entry: SearchEntry; sequence: number };

/**
 * Entries are stored as text: reading and indexing them takes longer than the rest of a start and grows with the notes,
 * so it happens at the first search. Until then the ids, a JSON list, show which notes the index covers.
 */
type SavedSearch = { ids: string; entries: string };
type Change =
  | { kind: 'put'; entry: SearchEntry; sequence: number }
  | { kind: 'drop'; id: string }
  | { kind: 'supersede'; id: string; by: string };

type Unmade = { saved: SavedSearch; ids: Set<string> | null; changes: Change[] };

/** After this many changes the index is built anyway, because stored changes take memory too. */
const mostChanges = 10_000;

/**
 * Words of notes and claim notes, folded from the log, so that every host and every store finds the same entries in the
 * same order. A claim's note replaces the previous one; a superseded note stays and comes last.
 */
export class MemorySearch implements SavableProjection<SavedSearch> {
  readonly savedAs = 'memory';
  #index = new NoteIndex();
  #entries = new Map<string, IndexedEntry>();
  /** The saved index while it is not loaded, with the changes since it was saved, in order; null once it is loaded. */
  #unmade: Unmade | null = null;

  apply(event: RecordedEvent): void {
    if (isStored(event, 'repository') && event.type === 'note_added') this.#addNote(event);
  }

  /** Replaces the previous note of a claim; an empty text removes it. */
  putClaimNote({ id, ref, text, by, at, sequence }: FoundClaimNote): void {
    const where = { kind: 'claim', repository: null, ref, topic: null } as const;
    if (text === null || text === '') this.#change({ kind: 'drop', id });
    else this.#change({ kind: 'put', entry: { ...where, id, text, by, at, supersededBy: null }, sequence });
  }

  reset(): void {
    this.#index = new NoteIndex();
    this.#entries.clear();
    this.#unmade = null;
  }

  save(): SavedSearch {
    if (this.#unmade?.changes.length === 0) return this.#unmade.saved;
    this.#make();
    const entries = JSON.stringify([...this.#entries.values()]);
    const ids = JSON.stringify([...this.#entries.keys()]);
    return { ids, entries };
  }

  load(saved: SavedSearch): void {
    this.#unmade = { saved, ids: null, changes: [] };
  }

  #make(): void {
    if (!this.#unmade) return;
    const { saved, changes } = this.#unmade;
    this.#unmade = null;
    const entries: IndexedEntry[] = JSON.parse(saved.entries);
    for (const one of entries) {
      this.#entries.set(one.entry.id, one);
      this.#index.put(one.entry.id, textsOf(one.entry));
    }
    for (const change of changes) this.#do(change);
  }

  /** Best first; entries of equal rank newest first. */
  find(text: string): MemoryHit[] {
    this.#make();
    const found = this.#index.search(text).flatMap(({ id, score }) => {
      const indexed = this.#entries.get(id);
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
    unmade.ids ??= new Set<string>(JSON.parse(unmade.saved.ids));
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
    this.#index.put(entry.id, textsOf(entry));
    this.#entries.set(entry.id, { entry, sequence });
  }

  #supersede({ id, by }: Extract<Change, { kind: 'supersede' }>): void {
    const old = this.#entries.get(id);
    if (old) old.entry.supersededBy = by;
  }

  #drop(id: string): void {
    if (this.#entries.delete(id)) this.#index.remove(id);
  }
}

const textsOf = ({ text, topic, repository, ref }: SearchEntry): IndexedText[] => [
  { text: topic ?? '', more: 2 },
  { text: repository ?? ref ?? '', more: 1 },
  { text, more: 1 },
];
