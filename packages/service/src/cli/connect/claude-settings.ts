import { type ConnectOptions, serverName, workTools } from './connect-options.ts';
import { hookCommand } from './hooks.ts';
import type { Ours } from './json-edit.ts';

const allowed = ['permissions', 'allow'];
const rule = `mcp__${serverName}__`;
const isRule = (value: unknown) => typeof value === 'string' && value.startsWith(rule);
const isHook = (value: unknown) => /\/api\/agents\/hooks|signalbox-(session|stop)\.mjs/.test(JSON.stringify(value));
const isStatusLine = (value: unknown) => /"signalbox prompt\b/.test(JSON.stringify(value));

/** Whether the settings have a status line that is not ours; there can be only one. */
export const hasOtherStatusLine = (settings: unknown): boolean =>
  typeof settings === 'object' && settings !== null && 'statusLine' in settings && !isStatusLine(settings.statusLine);

const claimTools = `${rule}(claim_node|claim_next|report_node|release_node)`;
/** Before an edit the agent learns who else is changing the file. */
const editTools = 'Edit|Write|MultiEdit|NotebookEdit';
const events: Record<string, { matcher?: string }> = {
  SessionStart: {},
  PreToolUse: { matcher: `${claimTools}|${editTools}` },
  Stop: {},
  SessionEnd: {},
};
/** Shows whether a session that cannot be observed otherwise works or waits. */
const eventsOfUnseen: typeof events = { UserPromptSubmit: {}, PostToolUse: {}, Notification: {} };

/** Our entries in `.claude/settings.json`; on removal every entry that we may have written. */
export function claudeSettings(options: ConnectOptions): Ours[] {
  const rules = workTools.map((tool) => ({ path: allowed, value: rule + tool, isOurs: isRule }));
  const wanted = options.hooksOnly !== null || options.remove ? { ...events, ...eventsOfUnseen } : events;
  const hooks = Object.entries(wanted).map(([event, more]) => ({
    path: ['hooks', event],
    value: { ...more, hooks: [{ type: 'command', command: hookCommand(options, 'claude-code'), timeout: 3 }] },
    isOurs: isHook,
  }));
  const statusLine = {
    path: [],
    key: 'statusLine',
    value: { type: 'command', command: `signalbox prompt --url ${options.url}` },
    isOurs: isStatusLine,
  };
  return [
    ...(options.statusLine || options.remove ? [statusLine] : []),
    ...(options.approve || options.remove ? rules : []),
    ...(options.hooks || options.remove ? hooks : []),
  ];
}
