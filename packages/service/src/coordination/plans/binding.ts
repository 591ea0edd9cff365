import { z } from 'zod';
import { ours } from '../../kernel/schema-marks.ts';
import { repositoryName } from './names.ts';

const numbered = ours(
  z
    .string()
    .regex(
      /^(?!\.{1,2}\/)[A-Za-z0-9._-]{1,100}\/(?!\.{1,2}#)[A-Za-z0-9._-]{1,100}#[1-9]\d{0,9}$/,
      'must be owner/name#number',
    ),
);
const word = z.string().min(1).max(200);

/** A pull request is given either by its number, or by its repository and head. */
function refuseMixed(
  { pullRequest, repository, branch }: Partial<Record<'pullRequest' | 'repository' | 'branch', string | undefined>>,
  ctx: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
  if (pullRequest === undefined && repository === undefined)
    refuse(
      'pullRequest',
      'is required, or pass repository: then the newest pull request of branch, or with the trailer, counts',
    );
  if (pullRequest !== undefined && repository !== undefined) refuse('repository', 'goes without pullRequest');
  if (pullRequest !== undefined && branch !== undefined)
    refuse('branch', 'is valid only with repository, not with pullRequest');
}

/** The binding of a node: the one proof that makes it done. */
export const binding = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('issue'), issue: numbered }),
    z
      .strictObject({
        kind: z.literal('pullRequest'),
        pullRequest: numbered.optional(),
        repository: repositoryName
          .optional()
          .describe('Instead of a number: the newest of branch, or with the trailer'),
        branch: word.optional(),
      })
      .superRefine(refuseMixed),
    z.strictObject({
      kind: z.literal('suite'),
      tag: word.optional(),
      suite: word.optional(),
      branch: word.optional(),
      publisher: word.optional().describe('Only runs with the token of this name'),
    }),
    z.strictObject({ kind: z.literal('package'), registry: z.enum(['npm', 'nuget']), name: word, version: word }),
    z.strictObject({ kind: z.literal('dependency'), repository: repositoryName, name: word, version: word }),
    z.strictObject({ kind: z.literal('commit'), branch: word.optional() }),
    z.strictObject({ kind: z.literal('signOff'), who: word.optional() }),
  ])
  .meta({ id: 'Binding', 'x-spelledOutIn': 'bind_node' });

export type Binding = z.output<typeof binding>;
export type PullRequestBinding = Extract<Binding, { kind: 'pullRequest' }>;

/** Whether only runs of the node's own repository prove it: a suite without a tag that identifies it. */
export const isBySuiteAlone = (bound: Binding | null): boolean =>
  bound?.kind === 'suite' && bound.suite !== undefined && bound.tag === undefined;

/** A suite binding with neither tag nor suite is matched by the node's own ref. */
export function effectiveBinding(bound: Binding, ref: string): Binding {
  return bound.kind === 'suite' && bound.suite === undefined && bound.tag === undefined
    ? { ...bound, tag: ref }
    : bound;
}

/** The repository whose pull request or issue it is; null for other kinds. */
export function ticketRepository(bound: Binding): string | null {
  if (bound.kind === 'issue') return bound.issue.split('#')[0] ?? null;
  if (bound.kind !== 'pullRequest') return null;
  return bound.repository ?? bound.pullRequest?.split('#')[0] ?? null;
}

export const sameBinding = (a: Binding | null, b: Binding | null): boolean => text(a) === text(b);

const text = (bound: Binding | null): string =>
  bound === null ? '' : JSON.stringify(Object.entries(bound).sort(([a], [b]) => (a < b ? -1 : 1)));
