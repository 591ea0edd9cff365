import type { Caller } from '../../kernel/command.ts';
import type { HolderClues } from '../claims/lease.ts';
import type { SessionLookup } from './ports.ts';

type Named = { session?: string | null | undefined };

/** Who asks. A session that the call names wins, then the one a hook reported, then what the client says of itself. */
export function claimantOf<Input extends Named>(
  input: Input,
  caller: Caller,
  sessions: SessionLookup,
): Input & { session: string | null; clues: HolderClues } {
  const { client, toolCall, token } = caller;
  const reported = toolCall === null ? null : sessions.reportedByHook(toolCall);
  const session = input.session ?? reported ?? caller.session;
  const sessionBy = session === reported ? 'hook' : input.session ? 'argument' : 'client';
  const clues: HolderClues = {
    ...(session !== null && { sessionBy }),
    ...(client !== null && { client }),
    ...(toolCall !== null && { toolCall }),
    ...(token !== null && { token }),
  };
  return { ...input, session, clues };
}
