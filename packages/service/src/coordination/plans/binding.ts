import { z } from 'zod';
import { repositoryName } from './names.ts';

const numbered = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}#[1-9]\d{0,9}$/, 'must be owner/name#number');
const word = z.string().min(1).max(200);

/** What proves a node done: one kind, one proof. */
export const binding = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('issue'), issue: numbered }),
    z.strictObject({ kind: z.literal('pullRequest'), pullRequest: numbered }),
    z.strictObject({
      kind: z.literal('suite'),
      tag: word.optional(),
      suite: word.optional(),
      branch: word.optional(),
      publisher: word.optional().describe('Only runs of the token of this name'),
    }),
    z.strictObject({ kind: z.literal('package'), registry: z.enum(['npm', 'nuget']), name: word, version: word }),
    z.strictObject({ kind: z.literal('dependency'), repository: repositoryName, name: word, version: word }),
    z.strictObject({ kind: z.literal('commit'), branch: word.optional() }),
    z.strictObject({ kind: z.literal('signOff'), who: word.optional() }),
  ])
  .meta({ 'x-spelledOutIn': 'bind_node' });

export type Binding = z.output<typeof binding>;

/** Whether only runs of the node's own repository prove it: a suite that no tag tells apart. */
export const isBySuiteAlone = (bound: Binding | null): boolean =>
  bound?.kind === 'suite' && bound.suite !== undefined && bound.tag === undefined;

/** A suite that is told neither tag nor suite is known by the node's own ref. */
export function effectiveBinding(bound: Binding, ref: string): Binding {
  return bound.kind === 'suite' && bound.suite === undefined && bound.tag === undefined
    ? { ...bound, tag: ref }
    : bound;
}

export const sameBinding = (a: Binding | null, b: Binding | null): boolean => text(a) === text(b);

const text = (bound: Binding | null): string =>
  bound === null ? '' : JSON.stringify(Object.entries(bound).sort(([a], [b]) => (a < b ? -1 : 1)));
