import MiniSearch from 'minisearch';
import type { Projection, Recorded } from '../../kernel/event-log.ts';
import type { MemoryHit } from './contract.ts';
import type { RepositoryEvent } from './events.ts';

type Entry = Omit<MemoryHit, 'repository'> & { repository: string | null };
type ClaimEvent = { type: string; data: { id: string; agent: string; note?: string | null; fence?: number } };

const newIndex = () =>
  new MiniSearch<{ id: string; text: string; topic: string; where: string }>({
    fields: ['text', 'topic', 'where'],
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
      boost: { topic: 2 },
      combineWith: 'AND',
    },
  });

/**
 * Words over notes and claim notes, folded from the log, so that every host and every store finds the same in the same
 * order. A claim's note replaces the one before it; a superseded note stays and comes last.
 */
export class MemorySearch implements Projection {
  #index = newIndex();
  #entries = new Map<string, Entry>();
  #fences = new Map<string, number>();

  apply(event: Recorded): void {
    if (event.type === 'note_added') this.#addNote(event as Recorded & RepositoryEvent);
    else if (event.stream.startsWith('claim:')) this.#addClaim(event as Recorded & ClaimEvent);
  }

  reset(): void {
    this.#index = newIndex();
    this.#entries.clear();
    this.#fences.clear();
  }

  /** Best first; equals in the order in which they were written, newest first. */
  find(words: string): MemoryHit[] {
    const found = this.#index.search(words).flatMap(({ id, score }) => {
      const entry = this.#entries.get(id as string);
      return entry ? [{ entry, score }] : [];
    });
    found.sort(
      (a, b) =>
        Number(a.entry.supersededBy !== null) - Number(b.entry.supersededBy !== null) ||
        b.score - a.score ||
        (a.entry.at === b.entry.at ? (a.entry.id < b.entry.id ? -1 : 1) : a.entry.at < b.entry.at ? 1 : -1),
    );
    return found.map(({ entry }) => entry);
  }

  #addNote(event: Recorded & RepositoryEvent): void {
    if (event.type !== 'note_added') return;
    const { owner, name, id, topic, text, supersedes } = event.data;
    const old = supersedes === null ? undefined : this.#entries.get(supersedes);
    if (old) old.supersededBy = id;
    const repository = `${owner}/${name}`;
    this.#put({ kind: 'note', repository, ref: null, id, topic, text, by: event.by, at: event.at, supersededBy: null });
  }

  #addClaim(event: Recorded & ClaimEvent): void {
    const { id: node, agent, note, fence } = event.data;
    if (event.type === 'node_claimed' && fence !== undefined) this.#fences.set(event.stream, fence);
    if (event.type !== 'claim_reported' || note === undefined) return;
    const plan = event.topic.slice('plan:'.length);
    const id = `${event.stream.slice('claim:'.length)}#${this.#fences.get(event.stream) ?? 0}`;
    if (note === null || note === '') this.#drop(id);
    else
      this.#put({
        kind: 'claim',
        repository: null,
        ref: `${plan}/${node}`,
        id,
        topic: null,
        text: note,
        by: agent,
        at: event.at,
        supersededBy: null,
      });
  }

  #put(entry: Entry): void {
    const { id, text, topic, repository, ref } = entry;
    const words = { id, text, topic: topic ?? '', where: repository ?? ref ?? '' };
    if (this.#entries.has(id)) this.#index.replace(words);
    else this.#index.add(words);
    this.#entries.set(id, entry);
  }

  #drop(id: string): void {
    if (this.#entries.delete(id)) this.#index.discard(id);
  }
}
