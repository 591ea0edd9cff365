import { CannotConnect, type FileChange } from './change.ts';
import { claudeSettings } from './claude-settings.ts';
import { codexConfig } from './codex-config.ts';
import { type ConnectOptions, type Tool, tools } from './connect-options.ts';
import { type Ours, withOurs, withoutOurs } from './json-edit.ts';
import { mcpFiles, serverOf } from './mcp-files.ts';
import { markdown, withoutSection, withSection } from './section.ts';
import { agentsSection, isOurSkill, skill } from './texts.ts';

export type Read = (path: string) => string | null;

const skillFile = '.claude/skills/signalbox/SKILL.md';
/** Scripts of earlier versions. */
const formerScripts = ['.claude/hooks/signalbox-session.mjs', '.claude/hooks/signalbox-stop.mjs'];

/** What a person agrees to with the files of each tool. */
const approvals: Record<string, string> = {
  '.claude/settings.json':
    'permissions.allow: Claude Code calls the tools of the work loop without asking; other tools still ask',
  '.codex/config.toml':
    'default_tools_approval_mode: Codex calls the tools of the work loop, the only ones it is offered, without asking',
  '.gemini/settings.json':
    'trust: Gemini calls the tools of the work loop, the only ones it is offered, without asking',
};

type Edits = Record<string, (text: string | null) => string | null>;

/** Everything that would change in the project, worked out without touching it. */
export function planChanges(read: Read, options: ConnectOptions): FileChange[] {
  const chosen = options.remove ? tools : options.tools;
  const edits: Edits = {
    ...Object.fromEntries(chosen.flatMap((tool) => mcpEdit(tool, read, options))),
    ...(chosen.includes('claude') && claudeEdits(options)),
    ...(chosen.includes('codex') && { '.codex/config.toml': (text) => codexConfig(text, options) }),
    'AGENTS.md': (text) =>
      options.remove ? withoutSection(text, markdown) : withSection(text, markdown, agentsSection),
  };
  return Object.entries(edits).flatMap(([path, edit]) => {
    const before = read(path);
    const after = before === null && options.remove ? null : edit(before);
    if (after === before) return [];
    const note = options.approve && !options.remove ? approvals[path] : undefined;
    return [{ path, before, after, ...(note !== undefined && { note }) }];
  });
}

function mcpEdit(tool: Tool, read: Read, options: ConnectOptions): [string, Edits[string]][] {
  const file = mcpFiles[tool];
  if (!file) return [];
  // Copilot reads Claude Code's file as well, and would list the server twice.
  if (tool === 'copilot' && !options.remove && options.tools.includes('claude')) return [];
  const paths = tool === 'opencode' ? openCodeFiles(read, options.remove) : [file.path];
  return paths.map((path) => [path, (text) => editJson(path, text, [serverOf(file, options)], options)]);
}

/** OpenCode reads either; the one that is there is extended. */
function openCodeFiles(read: Read, remove: boolean): string[] {
  if (remove) return ['opencode.json', 'opencode.jsonc'];
  return [read('opencode.jsonc') !== null && read('opencode.json') === null ? 'opencode.jsonc' : 'opencode.json'];
}

function claudeEdits(options: ConnectOptions): Edits {
  const settings = '.claude/settings.json';
  const ours = claudeSettings({ ...options, remove: true });
  const wanted = claudeSettings(options);
  return {
    [skillFile]: (text) => skillEdit(text, options.remove),
    [settings]: (text) => {
      if (options.remove || wanted.length === 0) return text === null ? null : withoutOurs(settings, text, ours);
      return editJson(settings, staleGone(settings, text, ours, wanted), wanted, options);
    },
    ...Object.fromEntries(
      formerScripts.map((path) => [path, (text) => (text?.startsWith('// signalbox:') ? null : text)]),
    ),
  };
}

/** What an earlier run wrote and this one does not want. */
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
  throw new CannotConnect(`${skillFile} was written by somebody else. Move it away first; nothing was written.`);
}
