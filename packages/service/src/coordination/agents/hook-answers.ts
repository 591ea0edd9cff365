import { asObject } from './turn.ts';

/** The response to a hook of Claude Code; empty if there is nothing to add. */
export type HookAnswer = {
  hookSpecificOutput?:
    | { hookEventName: 'PreToolUse'; updatedInput: object }
    | { hookEventName: 'Stop'; additionalContext: string };
};

export type HookSituation = {
  /** False in non-interactive sessions such as `claude -p`: a response would replace the requested output. */
  attended: boolean;
  /** Claims with a certain link to the session. */
  claimsOf: (sessionId: string) => readonly { ref: string; fence: number }[];
};

type Payload = Readonly<Record<string, unknown>>;

const claimTool = /^mcp__signalbox__(claim_node|claim_next|report_node|release_node)$/;
/** Enough for every session of a busy day; the oldest are forgotten first. */
const maxSessions = 2_000;

/** Adds the session to a claim, and reminds once of each claim that a session still holds when it stops. */
export function createHookAnswers(): (payload: Payload, situation: HookSituation) => HookAnswer {
  const reminded = new Map<string, ReadonlySet<string>>();

  function remindOf(payload: Payload, sessionId: string, { attended, claimsOf }: HookSituation): HookAnswer {
    const worksOn = Array.isArray(payload.background_tasks) && payload.background_tasks.length > 0;
    if (!attended || worksOn || payload.stop_hook_active === true) return {};
    const claims = claimsOf(sessionId);
    const before = reminded.get(sessionId);
    const fresh = claims.filter((claim) => !before?.has(nameOf(claim)));
    reminded.delete(sessionId);
    if (claims.length > 0) reminded.set(sessionId, new Set(claims.map(nameOf)));
    const [oldest] = reminded.keys();
    if (reminded.size > maxSessions && oldest !== undefined) reminded.delete(oldest);
    if (fresh.length === 0) return {};
    const refs = fresh.map(({ ref }) => ref).join(', ');
    const additionalContext = `You still hold ${refs} in Signalbox. Call report_node if you continue, release_node if you stop.`;
    return { hookSpecificOutput: { hookEventName: 'Stop', additionalContext } };
  }

  return (payload, situation) => {
    const { session_id: sessionId, hook_event_name: event } = payload;
    if (typeof sessionId !== 'string' || sessionId === '') return {};
    if (event === 'Stop') return remindOf(payload, sessionId, situation);
    return event === 'PreToolUse' ? withSession(payload, sessionId) : {};
  };
}

const nameOf = ({ ref, fence }: { ref: string; fence: number }): string => `${ref} ${fence}`;

function withSession({ tool_name: tool, tool_input }: Payload, session: string): HookAnswer {
  const input = asObject(tool_input);
  if (!input || input.session !== undefined || typeof tool !== 'string' || !claimTool.test(tool)) return {};
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...input, session } } };
}
