import { vocabularyWord } from './turn.ts';

/** The reports of hooks. A hook only triggers an earlier poll or names a cause; it never overrules a live process. */
export type HookReports = {
  /** Session id to how it began: `clear`, `resume`, `fork`. */
  starts: ReadonlyMap<string, string>;
  /** Session id to the reported reason and time of its end. */
  ends: ReadonlyMap<string, { reason: string; at: number }>;
  /** Id of a tool call to the session that makes it. */
  toolCalls: ReadonlyMap<string, string>;
};

export type HookReportStore = HookReports & { record(payload: Readonly<Record<string, unknown>>, at: number): void };

/** Enough for every session of a busy day; the oldest are forgotten first. */
const maxReports = 2_000;

const takeoverSources = new Set(['clear', 'resume', 'fork']);
export const sessionIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The format of tool-generated ids; any other text is neither stored nor searched for. */
export const toolCallPattern = /^[\w.:-]{1,200}$/;

/** Only these members of a payload are read: the rest may contain prompts. */
export function createHookReportStore(): HookReportStore {
  const starts = new Map<string, string>();
  const ends = new Map<string, { reason: string; at: number }>();
  const toolCalls = new Map<string, string>();
  return {
    starts,
    ends,
    toolCalls,
    record({ session_id: id, hook_event_name: event, source, reason, tool_use_id: toolCall }, at) {
      if (typeof id !== 'string' || !sessionIdPattern.test(id)) return;
      const sessionId = id.toLowerCase();
      if (typeof toolCall === 'string' && toolCallPattern.test(toolCall)) remember(toolCalls, toolCall, sessionId);
      if (event === 'SessionStart') {
        ends.delete(sessionId);
        if (takeoverSources.has(String(source))) remember(starts, sessionId, String(source));
      } else if (event === 'SessionEnd') {
        remember(ends, sessionId, { reason: vocabularyWord(reason) ?? 'other', at });
      }
    },
  };
}

function remember<Value>(notes: Map<string, Value>, key: string, value: Value): void {
  notes.delete(key);
  notes.set(key, value);
  const [oldest] = notes.keys();
  if (notes.size > maxReports && oldest !== undefined) notes.delete(oldest);
}
