import { parse as parseJson } from 'jsonc-parser';
import { codex } from '../../coordination/agents/tools/codex.ts';
import type { AgentTool, McpJsonFile } from '../../coordination/agents/tools/tool.ts';
import { agentTools, type ToolName } from '../../coordination/agents/tools/tools.ts';
import { CannotConnect, type FileChange } from './change.ts';
import { claudeSettings, hasOtherStatusLine } from './claude-settings.ts';
import { codexConfig } from './codex-config.ts';
import { type ConnectOptions, mcpAddress, serverName } from './connect-options.ts';
import { type Ours, withOurs, withoutOurs } from './json-edit.ts';
import { markdown, withoutSection, withSection } from './section.ts';
import { agentsSection, isOurSkill, skill } from './texts.ts';

export type Read = (path: string) => string | null;

const skillFile = '.claude/skills/signalbox/SKILL.md';
/** Scripts of earlier versions. */
const formerScripts = ['.claude/hooks/signalbox-session.mjs', '.claude/hooks/signalbox-stop.mjs'];

/** The permissions that a person grants by agreeing to each file. */
const approvals = new Map([
  [
    '.claude/settings.json',
    'permissions.allow: Claude Code calls the work loop tools without asking; other tools still ask',
  ],
  ...agentTools.flatMap(({ mcp: { path, approval } }): [string, string][] => (approval ? [[path, approval]] : [])),
]);

type Edits = Record<string, (text: string | null) => string | null>;

/** Everything that would change in the project; nothing is written. */
export function planChanges(read: Read, options: ConnectOptions): FileChange[] {
  const chosen = agentTools.filter(({ name }) => options.remove || options.tools.includes(name));
  const isChosen = (name: ToolName) => chosen.some((tool) => tool.name === name);
  const edits: Edits = {
    ...Object.fromEntries(chosen.flatMap((tool) => mcpEdit(tool, read, options))),
    ...(isChosen('claude-code') && claudeEdits(options)),
    ...(isChosen('codex') && { [codex.mcp.path]: (text) => codexConfig(text, options) }),
    'AGENTS.md': (text) =>
      options.remove ? withoutSection(text, markdown) : withSection(text, markdown, agentsSection),
  };
  return Object.entries(edits).flatMap(([path, edit]) => {
    const before = read(path);
    const after = before === null && options.remove ? null : edit(before);
    if (after === before) return [];
    const note = options.approve && !options.remove ? approvals.get(path) : undefined;
    return [{ path, before, after, ...(note !== undefined && { note }) }];
  });
}

function mcpEdit({ mcp }: AgentTool, read: Read, options: ConnectOptions): [string, Edits[string]][] {
  if (!('servers' in mcp)) return [];
  const isServed = agentTools.some((tool) => tool.mcp.path === mcp.alsoReads && options.tools.includes(tool.name));
  if (isServed && !options.remove) return [];
  const edit = (path: string): [string, Edits[string]] => [
    path,
    (text) => editJson(path, text, [serverOf(mcp, options)], options),
  ];
  if (mcp.orPath === undefined) return [edit(mcp.path)];
  if (options.remove) return [edit(mcp.path), edit(mcp.orPath)];
  return [edit(read(mcp.orPath) !== null && read(mcp.path) === null ? mcp.orPath : mcp.path)];
}

function serverOf({ servers, server, address, token }: McpJsonFile, options: ConnectOptions): Ours {
  const headers = options.token ? { headers: { Authorization: `Bearer ${token}` } } : {};
  const value = server({ url: mcpAddress(options, address), headers, approve: options.approve });
  return { path: [servers], key: serverName, value, isOurs: leadsToUs };
}

/** A server of that name with another address is the user's own. */
function leadsToUs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const addresses = ['url' in value && value.url, 'httpUrl' in value && value.httpUrl];
  return addresses.some((address) => typeof address === 'string' && /\/api\/mcp(\?|$)/.test(address));
}

function claudeEdits(options: ConnectOptions): Edits {
  const settings = '.claude/settings.json';
  const ours = claudeSettings({ ...options, remove: true });
  const wanted = claudeSettings(options);
  return {
    [skillFile]: (text) => skillEdit(text, options.remove),
    [settings]: (text) => {
      if (options.statusLine && text !== null && hasOtherStatusLine(parseJson(text)))
        throw new CannotConnect(
          `${settings} has a status line of its own. Call "signalbox prompt" from it, or leave out --status-line; nothing was written.`,
        );
      if (options.remove || wanted.length === 0) return text === null ? null : withoutOurs(settings, text, ours);
      return editJson(settings, staleGone(settings, text, ours, wanted), wanted, options);
    },
    ...Object.fromEntries(
      formerScripts.map((path) => [path, (text) => (text?.startsWith('// signalbox:') ? null : text)]),
    ),
  };
}

/** Files of an earlier run that this run does not need. */
function staleGone(path: string, text: string | null, ours: readonly Ours[], wanted: readonly Ours[]): string | null {
  const stale = ours.filter(({ path: at }) => !wanted.some((one) => one.path.join('.') === at.join('.')));
  return text === null || stale.length === 0 ? text : withoutOurs(path, text, stale);
}

function editJson(path: string, text: string | null, ours: readonly Ours[], { remove }: ConnectOptions): string | null {
  if (!remove) return withOurs(path, text, ours);
  return text === null ? null : withoutOurs(path, text, ours);
}

function skillEdit(text: string | null, remove: boolean): string | null {
  if (text === null || isOurSkill(text)) return remove ? null : skill;
  if (remove) return text;
  throw new CannotConnect(`${skillFile} was not written by Signalbox. Move it away first; nothing was written.`);
}
