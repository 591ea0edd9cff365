import { z } from 'zod';
import { ours } from '../../kernel/schema-marks.ts';

const part = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores');
/** Path members of calls that may register a repository: an invalid value is refused with a 400. */
export const repositoryKey = { owner: part, name: part };

/** Must be absolute: a relative path would start at the service's working directory, which may be another clone. */
export const clonePath = z
  .string()
  .max(4096)
  .regex(/^(\/|\\\\|[A-Za-z]:[\\/])/, 'must be an absolute path, such as /home/ada/shop');

export const packageName = z.strictObject({
  registry: z.enum(['npm', 'nuget']),
  name: z.string().min(1).max(214),
  version: z.string().max(100).optional(),
});
export type PackageName = z.output<typeof packageName>;

export const suiteName = z.strictObject({
  suite: z.string().min(1).max(200),
  tag: z.string().max(200).optional(),
  branch: z.string().max(200).optional(),
});
export type SuiteName = z.output<typeof suiteName>;

export const noteView = z
  .object({
    id: ours(z.string()),
    topic: z.string().nullable(),
    text: z.string(),
    by: z.string(),
    at: z.string(),
    supersededBy: ours(z.string()).nullable(),
  })
  .meta({ id: 'Note' });
export type NoteView = z.output<typeof noteView>;

export const repositoryView = z
  .object({
    owner: ours(z.string()),
    name: ours(z.string()),
    description: z.string().nullable(),
    url: z.string().nullable(),
    defaultBranch: z.string().nullable(),
    paths: z.array(z.string()),
    publishes: z.array(packageName),
    consumes: z.array(packageName),
    suites: z.array(suiteName),
    maxClaims: z.int().nullable().describe('How many of its nodes claim_next hands out at once'),
    noteCount: z.int(),
    plans: z.array(ours(z.string())),
    openNodes: z.int(),
    trees: z.array(z.string()),
    registeredAt: z.string().nullable(),
    declaredAt: z.string().nullable(),
  })
  .meta({ id: 'Repository' });
export type RepositoryView = z.output<typeof repositoryView>;

export const suggestion = z.object({ from: z.string(), to: z.string(), why: z.string() });
export type Suggestion = z.output<typeof suggestion>;

export const repositoryDetail = repositoryView
  .extend({
    notes: z.array(noteView),
    suggestions: z.array(suggestion),
    workingTrees: z.array(z.object({ host: z.string(), root: z.string() })).describe('The trees, with their hosts'),
  })
  .meta({ id: 'RepositoryDetail' });
export type RepositoryDetail = z.output<typeof repositoryDetail>;

export const memoryHit = z
  .object({
    kind: z.enum(['note', 'claim']),
    repository: ours(z.string()).nullable(),
    ref: ours(z.string()).nullable(),
    ...noteView.shape,
  })
  .meta({ id: 'MemoryHit' });
export type MemoryHit = z.output<typeof memoryHit>;
