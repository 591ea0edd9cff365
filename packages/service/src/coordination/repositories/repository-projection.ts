import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { NoteView, PackageName, SuiteName } from './contract.ts';

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
  maxClaims: number | null;
  readonly notes: NoteView[];
  registeredAt: string | null;
  declaredAt: string | null;
};

export const repositoryKeyOf = (owner: string, name: string): string => `${owner}/${name}`.toLowerCase();

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
  maxClaims: null,
  notes: [],
  registeredAt: null,
  declaredAt: null,
});

/** All repositories with their notes. A superseded note is marked and stays. */
export class RepositoryProjection implements SavableProjection<Map<string, Repository>> {
  readonly savedAs = 'repositories';
  #repositories = new Map<string, Repository>();

  find(owner: string, name: string): Repository | undefined {
    return this.#repositories.get(repositoryKeyOf(owner, name));
  }

  /** By `owner/name`. */
  maxClaimsOf(repository: string): number | null {
    return this.#repositories.get(repository.toLowerCase())?.maxClaims ?? null;
  }

  defaultBranchOf(repository: string): string | null {
    return this.#repositories.get(repository.toLowerCase())?.defaultBranch ?? null;
  }

  all(): IterableIterator<Repository> {
    return this.#repositories.values();
  }

  apply(event: RecordedEvent): void {
    if (!isStored(event, 'repository')) return;
    const { owner, name } = event.data;
    const before = this.find(owner, name) ?? unregistered(owner, name);
    this.#repositories.set(repositoryKeyOf(owner, name), evolve(before, event));
  }

  reset(): void {
    this.#repositories.clear();
  }

  save(): Map<string, Repository> {
    return this.#repositories;
  }

  load(saved: Map<string, Repository>): void {
    this.#repositories = saved;
  }
}

function evolve(repository: Repository, event: StoredEvent<'repository'>): Repository {
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
