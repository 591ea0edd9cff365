import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/outcome.ts';
import {
  clonePath,
  memoryHit,
  noteView,
  packageName,
  repositoryDetail,
  repositoryKey,
  repositoryView,
  suiteName,
} from './contract.ts';
import { declareRepository, noteRepository, registerRepository, repositoryAppend } from './decide.ts';
import type { RepositoryEvent } from './events.ts';
import type { MemorySearch } from './memory-search.ts';
import type { Mentions } from './ports.ts';
import { openRepositoryCatalog } from './repository-catalog.ts';
import { type Repository, type RepositoryProjection, unregistered } from './repository-projection.ts';

export type RepositoriesContext = DispatchContext & {
  log: EventLog;
  repositories: RepositoryProjection;
  memory: MemorySearch;
  mentions: Mentions;
};

const command = commandFor<RepositoriesContext>();
const by = z.string().min(1).max(200).optional();
const shop = { owner: 'acme', name: 'shop' };
const registered = [['register_repository', { ...shop, description: 'The shop', by: 'ada' }]] as const;
const noted = [
  ['note_repository', { ...shop, topic: 'build', text: 'Run the generator before the tests', by: 'ada' }],
] as const;

const unknownRepository = (owner: string, name: string): Refusal =>
  refuse('repository_not_found', `Unknown repository ${owner}/${name}. list_repositories lists them.`);

const listRepositories = command({
  name: 'list_repositories',
  description: 'Repositories that are registered or named by plans, trees or notes.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ ...paging }),
  output: listOf(repositoryView),
  rest: { method: 'GET', path: '/api/repositories', query: ['limit', 'offset', 'cursor'] },
  examples: [{ title: 'a registered repository', given: registered, input: {} }],
  run({ repositories, mentions }, input) {
    const catalog = openRepositoryCatalog(repositories, mentions);
    return listPage(catalog.all(), input, catalog.view);
  },
});

const getRepository = command({
  name: 'get_repository',
  description: 'One repository with its notes and the dependencies its packages suggest.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ owner: z.string(), name: z.string() }),
  output: repositoryDetail,
  rest: { method: 'GET', path: '/api/repositories/{owner}/{name}' },
  examples: [
    { title: 'with its notes', given: [...registered, ...noted], input: { owner: 'ACME', name: 'shop' } },
    { title: 'an unknown repository', input: { owner: 'acme', name: 'nowhere' }, refused: 'repository_not_found' },
  ],
  run({ repositories, mentions }, { owner, name }) {
    const catalog = openRepositoryCatalog(repositories, mentions);
    const found = catalog.find(owner, name);
    return found ? catalog.detail(found) : unknownRepository(owner, name);
  },
});

/** The result of a change to the repository, once it is written. */
function commitChange<Answer>(
  { log, repositories }: RepositoriesContext,
  { owner, name, by: author = 'anonymous' }: { owner: string; name: string; by?: string | undefined },
  decide: (known: Repository) => RepositoryEvent | Refusal | undefined,
  answer: (known: Repository) => Answer,
): Promise<Answer | Refusal> {
  const known = () => repositories.find(owner, name) ?? unregistered(owner, name);
  return log.commit(() => {
    const event = decide(known());
    if (isRefusal(event)) return event;
    return { append: event ? [repositoryAppend(event, author)] : [], answer: () => answer(known()) };
  });
}

const text = (most: number) => z.string().max(most);

const viewIn =
  ({ repositories, mentions }: RepositoriesContext) =>
  (known: Repository) =>
    openRepositoryCatalog(repositories, mentions).view(known);

/** The current view of the repository. */
function currentView(ctx: RepositoriesContext, { owner, name }: { owner: string; name: string }) {
  const known = ctx.repositories.find(owner, name);
  return known && viewIn(ctx)(known);
}

const register = command({
  name: 'register_repository',
  description: 'Registers a repository; paths are local clones that Signalbox may read.',
  effect: 'write',
  scope: 'author',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({
    ...repositoryKey,
    description: text(4000).nullish(),
    url: text(1000).nullish(),
    defaultBranch: text(200).nullish(),
    paths: z.array(clonePath).max(100).optional(),
    by,
  }),
  output: repositoryView,
  rest: { method: 'PUT', path: '/api/repositories/{owner}/{name}', query: ['by'] },
  examples: [
    { title: 'a repository', input: { ...shop, description: 'The shop', paths: ['/src/shop'], by: 'ada' } },
    { title: 'a name with a slash', input: { owner: 'acme', name: 'a/b' }, refused: 'invalid_request' },
    { title: 'a relative path', input: { ...shop, paths: ['.'] }, refused: 'invalid_request' },
  ],
  recall: currentView,
  run: (ctx, input) => commitChange(ctx, input, (known) => registerRepository(input, known), viewIn(ctx)),
});

const declare = command({
  name: 'declare_repository',
  description: 'Declares what a repository publishes, consumes and tests. Replaces only the lists you pass.',
  effect: 'write',
  scope: 'author',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({
    ...repositoryKey,
    publishes: z.array(packageName).max(500).optional(),
    consumes: z
      .array(packageName.meta({ 'x-spelledOutIn': 'publishes' }))
      .max(500)
      .optional(),
    suites: z.array(suiteName).max(500).optional(),
    maxClaims: z.int().min(1).max(10_000).nullish(),
    by,
  }),
  output: repositoryView,
  rest: { method: 'POST', path: '/api/repositories/{owner}/{name}/declare', query: ['by'] },
  examples: [
    { title: 'two agents at once', input: { ...shop, maxClaims: 2 } },
    { title: 'what it publishes', input: { ...shop, publishes: [{ registry: 'npm', name: '@acme/shop' }] } },
    {
      title: 'an unknown registry',
      input: { ...shop, consumes: [{ registry: 'pypi', name: 'x' }] },
      refused: 'invalid_request',
    },
  ],
  recall: currentView,
  run: (ctx, input) => commitChange(ctx, input, (known) => declareRepository(input, known), viewIn(ctx)),
});

const note = command({
  name: 'note_repository',
  description: 'Adds a note to a repository. To replace one, pass its id as supersedes.',
  effect: 'write',
  scope: 'work',
  gate: 'record',
  input: z.strictObject({
    ...repositoryKey,
    topic: text(200).optional(),
    text: z.string().min(1).max(20_000),
    supersedes: text(300).optional(),
    by,
  }),
  output: noteView,
  rest: { method: 'POST', path: '/api/repositories/{owner}/{name}/notes', query: ['by'], status: 201 },
  examples: [
    { title: 'a first note', input: { ...shop, topic: 'build', text: 'Run the generator first', by: 'ada' } },
    {
      title: 'a note that replaces it',
      given: noted,
      input: { ...shop, text: 'No generator any more', supersedes: 'acme/shop/1' },
    },
    { title: 'an unknown note', input: { ...shop, text: 'x', supersedes: 'acme/shop/9' }, refused: 'note_not_found' },
  ],
  // The newest note with that text by that author; of two equal notes either is right.
  recall: ({ repositories }, { owner, name, text: written, by: author = 'anonymous' }) =>
    repositories.find(owner, name)?.notes.findLast((one) => one.text === written && one.by === author),
  run: (ctx, input) =>
    commitChange(
      ctx,
      input,
      (known) => noteRepository(input, known),
      ({ notes }) => notes.at(-1) ?? neverWritten(),
    ),
});

const searchNotes = command({
  name: 'search_notes',
  description: 'Searches notes and claim notes, tolerating typos; best first.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({
    q: z.string().min(1).max(1000),
    owner: z.string().optional(),
    name: z.string().optional(),
    ...paging,
  }),
  output: listOf(memoryHit),
  rest: { method: 'GET', path: '/api/memory', query: ['q', 'owner', 'name', 'limit', 'offset', 'cursor'] },
  examples: [
    { title: 'a word with a typo', given: noted, input: { q: 'genrator' } },
    { title: 'in another repository', given: noted, input: { q: 'generator', owner: 'acme', name: 'api' } },
    { title: 'no word', input: { q: '' }, refused: 'invalid_request' },
  ],
  run({ memory, mentions }, { q, owner, name, ...page }) {
    const located = memory.find(q).map((hit) => (hit.ref === null ? hit : { ...hit, ...mentions.locate(hit.ref) }));
    const wanted = located.filter(({ repository }) => {
      const [inOwner = '', inName = ''] = (repository ?? '').toLowerCase().split('/');
      return (
        (owner === undefined || inOwner === owner.toLowerCase()) &&
        (name === undefined || inName === name.toLowerCase())
      );
    });
    return listPage(wanted, page, (hit) => hit);
  },
});

const neverWritten = (): never => {
  throw new Error('the note was written but cannot be found');
};

export const repositoryCommands = [listRepositories, getRepository, register, declare, note, searchNotes];
