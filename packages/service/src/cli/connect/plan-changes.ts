import type { FileChange } from './change.ts';
import { child, dropEmpty, editJson, type JsonObject } from './json-file.ts';
import { type Marks, markdown, toml, withoutSection, withSection } from './section.ts';
import { agentsSection, sessionHook, skill, stopHook } from './texts.ts';

export const tools = ['claude', 'codex', 'cursor', 'vscode'] as const;
export type Tool = (typeof tools)[number];
export type ConnectOptions = {
  /** The service's address, without a slash at its end. */
  url: string;
  /** True where the service wants a token: its variable is named in the files, never its value. */
  token: boolean;
  hooks: boolean;
  remove: boolean;
  tools: readonly Tool[];
};
export type ReadProjectFile = (path: string) => string | null;

const server = 'signalbox';
const sessionScript = '.claude/hooks/signalbox-session.mjs';
const stopScript = '.claude/hooks/signalbox-stop.mjs';

/** Everything that would change in the project, worked out without touching it. */
export function planChanges(read: ReadProjectFile, options: ConnectOptions): FileChange[] {
  const has = (tool: Tool) => options.remove || options.tools.includes(tool);
  const hooks = options.remove || (options.hooks && options.tools.includes('claude'));
  const after: Record<string, (text: string | null) => string | null> = {
    ...(has('claude') && {
      '.mcp.json': (text) => editJson('.mcp.json', text, (file) => serverIn('.mcp.json', file, 'mcpServers', options)),
      '.claude/skills/signalbox/SKILL.md': () => (options.remove ? null : skill),
    }),
    ...(hooks && {
      '.claude/settings.json': (text) =>
        editJson('.claude/settings.json', text, (file) => hooksIn(file, options.remove)),
      [sessionScript]: () => (options.remove ? null : sessionHook),
      [stopScript]: () => (options.remove ? null : stopHook(options.url)),
    }),
    ...(has('codex') && { '.codex/config.toml': (text) => codex(text, options) }),
    ...(has('cursor') && {
      '.cursor/mcp.json': (text) =>
        editJson('.cursor/mcp.json', text, (file) => serverIn('.cursor/mcp.json', file, 'mcpServers', options, 'env:')),
    }),
    ...(has('vscode') && {
      '.vscode/mcp.json': (text) =>
        editJson('.vscode/mcp.json', text, (file) => serverIn('.vscode/mcp.json', file, 'servers', options, 'env:')),
    }),
    'AGENTS.md': (text) => section(text, markdown, agentsSection, options.remove),
  };
  return Object.entries(after).flatMap(([path, make]) => {
    const before = read(path);
    const made = before === null && options.remove ? null : make(before);
    return made === before ? [] : [{ path, before, after: made }];
  });
}

const section = (text: string | null, marks: Marks, body: string, remove: boolean) =>
  remove ? withoutSection(text, marks) : withSection(text, marks, body);

/** Editors write `${env:NAME}` for a variable, Claude Code `${NAME}`: the other's form would be sent as it stands. */
function serverIn(
  path: string,
  file: JsonObject,
  key: string,
  { url, token, remove }: ConnectOptions,
  prefix = '',
): void {
  if (remove && file[key] === undefined) return;
  const servers = child(path, file, key);
  if (remove) {
    delete servers[server];
    dropEmpty(file, key);
    return;
  }
  const headers = { Authorization: `Bearer $\{${prefix}SIGNALBOX_TOKEN}` };
  servers[server] = { type: 'http', url: `${url}/api/mcp`, ...(token && { headers }) };
}

/** A table of that name that the user wrote is the user's. */
function codex(text: string | null, { url, token, remove }: ConnectOptions): string | null {
  const foreign = text !== null && !text.includes(toml.begin) && /^\[mcp_servers\.signalbox\]/m.test(text);
  if (foreign) return text;
  const bearer = token ? '\nbearer_token_env_var = "SIGNALBOX_TOKEN"' : '';
  return section(text, toml, `[mcp_servers.${server}]\nurl = "${url}/api/mcp"${bearer}`, remove);
}

type HookEntry = { matcher?: string; hooks?: { command?: string }[] };
const isOurs = (entry: HookEntry) => (entry.hooks ?? []).some(({ command = '' }) => command.includes('signalbox-'));
const nodeScript = (path: string) => ({ type: 'command', command: `node "$CLAUDE_PROJECT_DIR/${path}"`, timeout: 5 });

function hooksIn(file: JsonObject, remove: boolean): void {
  if (remove && file.hooks === undefined) return;
  const hooks = child('.claude/settings.json', file, 'hooks');
  const wanted: Record<string, object> = {
    PreToolUse: {
      matcher: `mcp__${server}__(claim_node|claim_next|report_node|release_node)`,
      hooks: [nodeScript(sessionScript)],
    },
    Stop: { hooks: [nodeScript(stopScript)] },
  };
  for (const [event, entry] of Object.entries(wanted)) {
    const others = ((hooks[event] ?? []) as HookEntry[]).filter((known) => !isOurs(known));
    hooks[event] = remove ? others : [...others, entry];
    dropEmpty(hooks, event);
  }
  dropEmpty(file, 'hooks');
}
