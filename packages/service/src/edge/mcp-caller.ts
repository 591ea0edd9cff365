import { type Caller, unknownCaller } from '../kernel/command.ts';
import type { CallOrigin } from '../kernel/dispatch.ts';

/** Programs by the words they or their configuration use, in the words of the board. */
const clients: ReadonlyArray<readonly [pattern: RegExp, tool: string]> = [
  [/^claude\b|claude-?code/i, 'claude-code'],
  [/^codex/i, 'codex'],
  [/^gemini/i, 'gemini'],
  [/copilot/i, 'copilot'],
  [/^opencode/i, 'opencode'],
];

const toolNamed = (name: string | null): string | null =>
  clients.find(([pattern]) => name !== null && pattern.test(name))?.[1] ?? null;

/** Carries what is ours beside a request; the library hands it to the server that is made for it. */
export const authInfoOf = (origin: CallOrigin, message: unknown) => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { origin, message },
});

type Meta = Readonly<Record<string, unknown>>;

/** What a client says of itself in a call: in the address, in `_meta`, in its headers, in this order. */
export function mcpCaller(address: { client: string | null; userAgent: string | null }, meta: Meta = {}): Caller {
  // The session of Codex is `sessionId`; `threadId` differs in its subagents.
  const codex = textOf(meta.sessionId) ?? textOf(meta.threadId);
  const openCode = textOf(meta.sessionID);
  const toolCall = textOf(meta['claudecode/toolUseId']);
  const told = toolCall !== null ? 'claude-code' : codex !== null ? 'codex' : openCode !== null ? 'opencode' : null;
  const client = toolNamed(address.client) ?? told ?? otherTool(address.client) ?? toolNamed(address.userAgent);
  return { ...unknownCaller, client, session: codex ?? openCode, toolCall };
}

/** A program that is named in the address and not observed: no session on the board is its own. */
const otherTool = (name: string | null): string | null =>
  name !== null && /^[a-z][\w-]{0,30}$/i.test(name) ? name.toLowerCase() : null;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:-]{1,200}$/.test(value) ? value : null;
