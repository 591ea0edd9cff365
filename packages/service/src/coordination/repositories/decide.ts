import type { Append } from '../../kernel/event-log.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { streams } from '../../kernel/streams.ts';
import type { PackageName, SuiteName } from './contract.ts';
import type { RepositoryEvent } from './events.ts';
import type { Repository } from './repository-projection.ts';

type RepositoryName = { owner: string; name: string };
export type RegisterRequest = RepositoryName & {
  description?: string | null | undefined;
  url?: string | null | undefined;
  defaultBranch?: string | null | undefined;
  paths?: readonly string[] | undefined;
};
export type DeclareRequest = RepositoryName & {
  publishes?: readonly PackageName[] | undefined;
  consumes?: readonly PackageName[] | undefined;
  suites?: readonly SuiteName[] | undefined;
  maxClaims?: number | null | undefined;
};
export type NoteRequest = RepositoryName & {
  topic?: string | undefined;
  text: string;
  supersedes?: string | undefined;
};

/** An omitted member keeps its value. No event if nothing changes. */
export function registerRepository(request: RegisterRequest, known: Repository): RepositoryEvent | undefined {
  const { owner, name } = known;
  const givenOrBefore = <Value>(declared: Value | undefined, before: Value): Value =>
    declared === undefined ? before : declared;
  const data = {
    owner,
    name,
    description: givenOrBefore(request.description, known.description),
    url: givenOrBefore(request.url, known.url),
    defaultBranch: givenOrBefore(request.defaultBranch, known.defaultBranch),
    paths: givenOrBefore(request.paths, known.paths),
  };
  const { description, url, defaultBranch, paths } = known;
  const isUnchanged =
    known.registeredAt !== null && same(data, { owner, name, description, url, defaultBranch, paths });
  return isUnchanged ? undefined : { type: 'repository_registered', data };
}

/** A declaration replaces the lists that it names and keeps the rest. */
export function declareRepository(
  request: DeclareRequest,
  { owner, name, ...known }: Repository,
): RepositoryEvent | undefined {
  const said = {
    ...(request.publishes && { publishes: request.publishes }),
    ...(request.consumes && { consumes: request.consumes }),
    ...(request.suites && { suites: request.suites }),
    ...(request.maxClaims !== undefined && { maxClaims: request.maxClaims }),
  };
  const { publishes, consumes, suites, maxClaims } = known;
  const before = { publishes, consumes, suites, maxClaims };
  if (known.declaredAt !== null && same({ ...before, ...said }, before)) return undefined;
  return { type: 'repository_declared', data: { owner, name, ...said } };
}

export function noteRepository(request: NoteRequest, { owner, name, notes }: Repository): RepositoryEvent | Refusal {
  const { topic = null, text } = request;
  // The id begins with the repository's name, which is compared without case.
  const old = notes.find((note) => note.id.toLowerCase() === request.supersedes?.toLowerCase());
  if (request.supersedes !== undefined && !old) {
    return refuse(
      'note_not_found',
      `${owner}/${name} has no note ${request.supersedes}. get_repository lists its notes.`,
    );
  }
  const supersedes = old?.id ?? null;
  const id = `${owner}/${name}/${notes.length + 1}`;
  return { type: 'note_added', data: { owner, name, id, topic, text, supersedes } };
}

const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

export const repositoryAppend = (event: RepositoryEvent, by: string): Append => ({
  stream: streams.repository(event.data.owner, event.data.name),
  events: [{ ...event, by }],
});
