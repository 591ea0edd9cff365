import type { Projection, Recorded } from '../../kernel/event-log.ts';
import type { NoteView, PackageName, SuiteName } from './contract.ts';
import type { RepositoryEvent } from './events.ts';

export type Repository = {
  readonly owner: string;
  readonly name: string;
  description: string | null;
  url: string | null;
  defaultBranch: string | null;
  paths: readonly string[];
  publishes: readonly PackageName[];
  consumes: readonly PackageName[];
  suites: readonly SuiteName[];
  readonly notes: NoteView[];
  registeredAt: string | null;
  declaredAt: string | null;
};

export const keyOf = (owner: string, name: string): string => `${owner}/${name}`.toLowerCase();
export const streamOf = (owner: string, name: string): string => `repository:${keyOf(owner, name)}`;

export const unregistered = (owner: string, name: string): Repository => ({
  owner,
  name,
  description: null,
  url: null,
  defaultBranch: null,
  paths: [],
  publishes: [],
  consumes: [],
  suites: [],
  notes: [],
  registeredAt: null,
  declaredAt: null,
});

/** What repositories remember. A note is never lost: one that is superseded is marked and stays. */
export class RepositoryBook implements Projection {
  #known = new Map<string, Repository>();

  find(owner: string, name: string): Repository | undefined {
    return this.#known.get(keyOf(owner, name));
  }

  all(): IterableIterator<Repository> {
    return this.#known.values();
  }

  apply(recorded: Recorded): void {
    if (!recorded.stream.startsWith('repository:')) return;
    const event = recorded as Recorded & RepositoryEvent;
    const { owner, name } = event.data;
    const known = this.find(owner, name) ?? unregistered(owner, name);
    this.#known.set(keyOf(owner, name), evolve(known, event));
  }

  reset(): void {
    this.#known.clear();
  }
}

function evolve(repository: Repository, event: Recorded & RepositoryEvent): Repository {
  switch (event.type) {
    case 'repository_registered':
      return { ...repository, ...event.data, registeredAt: repository.registeredAt ?? event.at };
    case 'repository_declared':
      return { ...repository, ...event.data, declaredAt: event.at };
    case 'note_added': {
      const { id, topic, text, supersedes } = event.data;
      const old = repository.notes.find((note) => note.id === supersedes);
      if (old) old.supersededBy = id;
      repository.notes.push({ id, topic, text, by: event.by, at: event.at, supersededBy: null });
      return repository;
    }
    default:
      return repository;
  }
}
