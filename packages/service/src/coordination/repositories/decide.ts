import type { Append } from '../../kernel/event-log.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { PackageName, SuiteName } from './contract.ts';
import type { RepositoryEvent } from './events.ts';
import { type Repository, streamOf } from './memory.ts';

type Named = { owner: string; name: string };
export type Register = Named & {
  description?: string | null | undefined;
  url?: string | null | undefined;
  defaultBranch?: string | null | undefined;
  paths?: readonly string[] | undefined;
};
export type Declare = Named & {
  publishes?: readonly PackageName[] | undefined;
  consumes?: readonly PackageName[] | undefined;
  suites?: readonly SuiteName[] | undefined;
};
export type Note = Named & { topic?: string | undefined; text: string; supersedes?: string | undefined };

/** A member that is left out keeps what is known of it. Nothing when all of it is known already. */
export function registerRepository(ask: Register, known: Repository): RepositoryEvent | undefined {
  const { owner, name } = known;
  const kept = <Value>(said: Value | undefined, before: Value): Value => (said === undefined ? before : said);
  const data = {
    owner,
    name,
    description: kept(ask.description, known.description),
    url: kept(ask.url, known.url),
    defaultBranch: kept(ask.defaultBranch, known.defaultBranch),
    paths: kept(ask.paths, known.paths),
  };
  const { description, url, defaultBranch, paths } = known;
  const isSo = known.registeredAt !== null && same(data, { owner, name, description, url, defaultBranch, paths });
  return isSo ? undefined : { type: 'repository_registered', data };
}

/** A declaration replaces what it names and leaves the rest. */
export function declareRepository(ask: Declare, { owner, name, ...known }: Repository): RepositoryEvent | undefined {
  const said = {
    ...(ask.publishes && { publishes: ask.publishes }),
    ...(ask.consumes && { consumes: ask.consumes }),
    ...(ask.suites && { suites: ask.suites }),
  };
  const before = { publishes: known.publishes, consumes: known.consumes, suites: known.suites };
  if (known.declaredAt !== null && same({ ...before, ...said }, before)) return undefined;
  return { type: 'repository_declared', data: { owner, name, ...said } };
}

export function noteRepository(ask: Note, { owner, name, notes }: Repository): RepositoryEvent | Refusal {
  const { topic = null, text } = ask;
  // The id begins with the repository's name, which everybody may write in letters of his own.
  const old = notes.find((note) => note.id.toLowerCase() === ask.supersedes?.toLowerCase());
  if (ask.supersedes !== undefined && !old) {
    return refuse('note_not_found', `${owner}/${name} has no note ${ask.supersedes}. get_repository lists its notes.`);
  }
  const supersedes = old?.id ?? null;
  const id = `${owner}/${name}/${notes.length + 1}`;
  return { type: 'note_added', data: { owner, name, id, topic, text, supersedes } };
}

const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

export const repositoryAppend = (event: RepositoryEvent, by: string): Append => ({
  stream: streamOf(event.data.owner, event.data.name),
  events: [{ ...event, by }],
});
