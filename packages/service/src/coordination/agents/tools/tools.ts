import { type Caller, unknownCaller } from '../../../kernel/command.ts';
import type { TranscriptRecord } from '../turn.ts';
import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { AgentTool } from './tool.ts';
import { vscode } from './vscode.ts';

const records = [claude, codex, gemini, copilot, opencode, amp, cursor, vscode] as const;

export type ToolName = (typeof records)[number]['name'];
/** The tools with a custom layout, each with a reader in `io`. */
export type ToolWithReader = Exclude<
  Extract<(typeof records)[number], { sessions: object }>,
  { sessions: { documents: object } }
>['name'];

/** Every agent program, and nowhere else. */
export const agentTools: readonly (AgentTool & { name: ToolName })[] = records;

/** Finds a tool by its name on the board, or by another spelling that a person may type. */
export const toolNamed = (name: string) =>
  agentTools.find((tool) => tool.name === name || tool.aliases?.includes(name));

/** The folder of each tool whose sessions are read. */
export function toolHomes(
  folderOf: (home: NonNullable<AgentTool['sessions']>['home']) => string,
): ReadonlyMap<ToolName, string> {
  const homes = new Map<ToolName, string>();
  for (const { name, sessions } of agentTools) if (sessions) homes.set(name, folderOf(sessions.home));
  return homes;
}

const toolOfClient = (name: string | null): ToolName | null =>
  agentTools.find(({ client }) => name !== null && client.test(name))?.name ?? null;

/** Who calls over MCP: by the address of the connection, by `_meta` of the call, by the headers, in this order. */
export function mcpCaller(
  address: { client: string | null; userAgent: string | null },
  meta: TranscriptRecord = {},
): Caller {
  const [told] = agentTools.flatMap(({ name, call }) => {
    const { session, toolCall } = call?.(meta) ?? {};
    const ids = { session: idOf(session), toolCall: idOf(toolCall) };
    return ids.session === null && ids.toolCall === null ? [] : [{ client: name, ...ids }];
  });
  const client =
    toolOfClient(address.client) ?? told?.client ?? otherTool(address.client) ?? toolOfClient(address.userAgent);
  return { ...unknownCaller, ...told, client };
}

/** A program named in the address but not in the list: it has no sessions on the board. */
const otherTool = (name: string | null): string | null =>
  name !== null && /^[a-z][\w-]{0,30}$/i.test(name) ? name.toLowerCase() : null;

const idOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:-]{1,200}$/.test(value) ? value : null;
