import { z } from 'zod';
import type { EventIn } from '../../kernel/event-log.ts';
import { scope } from './contract.ts';

/** Creation and revocation of tokens. Only the hash of a secret is stored. */
export const tokenEvents = {
  version: 1,
  types: {
    token_created: z.object({
      name: z.string(),
      scopes: z.array(scope),
      hash: z.string(),
      expiresAt: z.string().nullable(),
    }),
    token_revoked: z.object({ name: z.string() }),
    logins_ended: z.object({}),
    /** What an earlier history had and this one lacks is not wanted back. */
    history_accepted: z.object({}),
  },
};
export type TokenEvent = EventIn<typeof tokenEvents>;
