import { z } from 'zod';
import { ours } from '../../kernel/schema-marks.ts';

const name = '[A-Za-z0-9][A-Za-z0-9._-]{0,99}';
const nameRule = '1 to 100 letters, digits, dots, dashes or underscores, starting with a letter or digit';

// linear: classes of at most 100 characters between anchors.
export const nodeId = z.string().regex(new RegExp(`^${name}$`), `must be ${nameRule}`);

/** Reserved words that may follow in a path instead of a slug. */
const reserved = new Set(['ready', 'rescan']);
export const planSlug = nodeId.refine(
  (slug) => !reserved.has(slug.toLowerCase()),
  'is a reserved word; choose another',
);

/** `<node>` of the same plan, or `<plan>/<node>`. */
export const nodeRef = z
  .string()
  // linear: the slash is in neither name.
  .regex(new RegExp(`^${name}(/${name})?$`), 'must be <node> or <plan>/<node>')
  .describe('<node> or <plan>/<node>');

export const repositoryName = ours(
  z
    .string()
    .regex(/^(?!\.{1,2}\/)[A-Za-z0-9._-]{1,100}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'must be owner/name')
    .describe('owner/name'),
);

/** Who acts: a label, not a credential. */
export const by = z.string().min(1).max(200).optional();
export const actor = (input: { by?: string | undefined }): string => input.by ?? 'anonymous';
