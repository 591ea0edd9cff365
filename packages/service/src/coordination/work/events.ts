import { z } from 'zod';
import { health, linkedBy, tokens } from '../../kernel/claim-view.ts';
import type { EventIn } from '../../kernel/event-log.ts';

const rememberedLink = z.object({
  health,
  reason: z.string().nullable(),
  fence: z.int(),
  sessionId: z.string().nullable(),
  /** The host that observes the session. */
  host: z.string(),
  /** This is missing in earlier logs, where every remembered link was inferred. */
  linkedBy: linkedBy.nullable().exactOptional(),
  /** The claim or renewal after which the candidates were compared. */
  judgedFor: z.string().exactOptional(),
  /** The tokens that the session had used when the link was made. */
  tokens: tokens.nullable().exactOptional(),
});
/**
 * The stored facts about the session behind one claim: the link, how it was made, and the last known state of the
 * session.
 */
export type RememberedLink = z.output<typeof rememberedLink>;

/** Observations of the session behind a claim. */
export const linkEvents = { version: 1, types: { claim_seen: rememberedLink } };
export type LinkEvent = EventIn<typeof linkEvents>;
