import { iso } from '../../kernel/clock.ts';
import { sessionIdPattern } from './hooks.ts';
import { noUsage } from './ports.ts';
import type { SessionFacts } from './session-state.ts';
import type { TreeFacts } from './tree.ts';
import { textOf, toolNameOf, vocabularyWord } from './turn.ts';

/** The state of a session after a hook; null for a hook that does not change it. */
type StateAfter = Pick<SessionFacts, 'state' | 'reason' | 'activity'>;

/** After this time without a hook, the state of a session is unknown. */
const unknownAfterMs = 10 * 60_000;
const forgottenAfterMs = 24 * 60 * 60_000;
const maxSessions = 1_000;

/**
 * Sessions on machines where neither files nor processes can be read, known from the hooks of their tool alone. An
 * observation by a host or an observer takes precedence over this.
 */
export class HookSessions {
  readonly #heardAt = new Map<string, number>();
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #noTrees = new Map<string, TreeFacts>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  all() {
    return [{ away: false, session: this.#sessions, tree: this.#noTrees }];
  }

  /** Returns the session whose state changed. */
  receive(payload: Readonly<Record<string, unknown>>, host: string, wall: number): string | null {
    const { session_id: id, cwd } = payload;
    const after = stateAfter(payload);
    if (after === null || typeof id !== 'string' || !sessionIdPattern.test(id)) return null;
    const sessionId = id.toLowerCase();
    const before = this.#sessions.get(sessionId);
    const at = iso(wall);
    const isSame = before?.state === after.state && before.activity === after.activity;
    this.#heardAt.delete(sessionId);
    this.#heardAt.set(sessionId, wall);
    this.#sessions.set(sessionId, {
      ...(before ?? newSession(sessionId, host, at)),
      ...after,
      cwd: textOf(cwd) ?? before?.cwd ?? null,
      since: isSame ? before.since : at,
      lastActivityAt: at,
      live: after.state !== 'gone',
    });
    const [oldest] = this.#heardAt.keys();
    if (this.#heardAt.size > maxSessions && oldest !== undefined) this.#forget(oldest);
    this.#version += 1;
    return sessionId;
  }

  /** Sessions without a hook for ten minutes become `unknown`; those that ended stay gone. */
  checkSilence(wall: number): string[] {
    const changed: string[] = [];
    for (const [sessionId, heardAt] of [...this.#heardAt]) {
      const session = this.#sessions.get(sessionId);
      if (wall - heardAt > forgottenAfterMs) this.#forget(sessionId);
      else if (session?.live && wall - heardAt > unknownAfterMs) {
        const silent = { state: 'unknown', reason: 'no_hook', activity: null, since: iso(wall), live: false } as const;
        this.#sessions.set(sessionId, { ...session, ...silent });
      } else continue;
      changed.push(sessionId);
    }
    if (changed.length > 0) this.#version += 1;
    return changed;
  }

  #forget(sessionId: string): void {
    this.#heardAt.delete(sessionId);
    this.#sessions.delete(sessionId);
  }
}

function stateAfter({
  hook_event_name: event,
  reason,
  tool_name,
  notification_type: kind,
}: Readonly<Record<string, unknown>>): StateAfter | null {
  switch (event) {
    case 'SessionStart':
      return { state: 'idle', reason: 'started', activity: null };
    case 'UserPromptSubmit':
      return { state: 'running', reason: 'turn', activity: null };
    case 'PreToolUse':
    case 'PostToolUse':
      return { state: 'running', reason: toolNameOf(tool_name), activity: null };
    case 'Notification':
      return kind === 'idle_prompt'
        ? { state: 'idle', reason: 'turn_ended', activity: null }
        : { state: 'running', reason: 'waiting:user', activity: 'waiting' };
    case 'Stop':
      return { state: 'idle', reason: 'turn_ended', activity: null };
    case 'SessionEnd':
      return { state: 'gone', reason: `session_end:${vocabularyWord(reason) ?? 'other'}`, activity: null };
    default:
      return null;
  }
}

const newSession = (sessionId: string, host: string, at: string): SessionFacts => ({
  sessionId,
  host,
  via: 'hooks',
  tool: 'claude-code',
  cwd: null,
  launchCwd: null,
  state: 'idle',
  reason: 'started',
  activity: null,
  since: at,
  startedAt: at,
  lastActivityAt: at,
  branch: null,
  repository: null,
  tree: null,
  pid: null,
  title: null,
  inferred: true,
  live: true,
  ...noUsage,
  processes: 0,
});
