import { asObject } from './turn.ts';

/** The response to a hook of Claude Code; empty if there is nothing to add. */
export type HookAnswer = {
  hookSpecificOutput?:
    | { hookEventName: 'PreToolUse'; updatedInput: object }
    | { hookEventName: 'PreToolUse'; additionalContext: string }
    | { hookEventName: 'Stop'; additionalContext: string };
};

export type HookSituation = {
  /** False in non-interactive sessions such as `claude -p`: a response would replace the requested output. */
  attended: boolean;
  /** Claims with a certain link to the session. */
  claimsOf: (sessionId: string) => readonly { ref: string; fence: number }[];
  /** Who else changes a file that the session is about to edit; null if nobody does. */
  contestedBy: (sessionId: string, file: string) => ContestedFile | null;
};

/** A file of a working tree, the nodes of other live trees that change it, and how many such trees there are. */
export type ContestedFile = { path: string; refs: readonly string[]; trees: number; sameLines: boolean };

type Payload = Readonly<Record<string, unknown>>;

const editTool = /^(Edit|Write|MultiEdit|NotebookEdit)$/;
const claimTool = /^mcp__signalbox__(claim_node|claim_next|report_node|release_node)$/;
/** Enough for every session of a busy day; the oldest are forgotten first. */
const maxSessions = 2_000;

/**
 * Adds the session to a claim, reminds once of each claim that a session still holds when it stops, and warns once for
 * each file before an edit that others change too. An edit is never denied.
 */
export function createHookAnswers(): (payload: Payload, situation: HookSituation) => HookAnswer {
  const reminded = new Map<string, ReadonlySet<string>>();
  const warned = new Set<string>();

  function warnOf({ tool_input }: Payload, sessionId: string, { contestedBy }: HookSituation): HookAnswer {
    const { file_path: file, notebook_path: notebook } = asObject(tool_input) ?? {};
    const path = typeof file === 'string' ? file : notebook;
    const contested = typeof path === 'string' ? contestedBy(sessionId, path) : null;
    if (!contested) return {};
    const key = JSON.stringify([sessionId, path, contested]);
    if (warned.has(key)) return {};
    warned.add(key);
    const [oldest] = warned;
    if (warned.size > maxSessions && oldest !== undefined) warned.delete(oldest);
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: warningOf(contested) } };
  }

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
    if (event !== 'PreToolUse') return {};
    const isEdit = typeof payload.tool_name === 'string' && editTool.test(payload.tool_name);
    return isEdit ? warnOf(payload, sessionId, situation) : withSession(payload, sessionId);
  };
}

const nameOf = ({ ref, fence }: { ref: string; fence: number }): string => `${ref} ${fence}`;

function withSession({ tool_name: tool, tool_input }: Payload, session: string): HookAnswer {
  const input = asObject(tool_input);
  if (!input || input.session !== undefined || typeof tool !== 'string' || !claimTool.test(tool)) return {};
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...input, session } } };
}

/** Contains only the agent's own words and refs, because others wrote the branch names. */
function warningOf({ path, refs, trees, sameLines }: ContestedFile): string {
  const others =
    refs.length > 0 ? refs.join(', ') : trees === 1 ? 'another live working tree' : `${trees} other live working trees`;
  const how = sameLines ? ', on the same lines as you' : '';
  return `Signalbox: ${others} also ${(refs.length || trees) > 1 ? 'change' : 'changes'} ${path}${how}. Keep your change small, rebase on the default branch before you merge, and say in the note of your next report_node what you change there; list_overlaps has the details.`;
}
