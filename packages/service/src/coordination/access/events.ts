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
    /** A person accepted that entries of an earlier history are missing from this one. */
    history_accepted: z.object({}),
  },
};
export type TokenEvent = EventIn<typeof tokenEvents>;
