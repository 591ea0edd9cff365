import { codex } from '../../coordination/agents/tools/codex.ts';
import { type ConnectOptions, mcpAddress, serverName } from './connect-options.ts';
import { hookCommand } from './hooks.ts';
import { toml, withoutSection, withSection } from './section.ts';

const hookEvents = ['SessionStart', 'SessionEnd'];

/** `.codex/config.toml`. A table of that name that the user wrote is the user's. */
export function codexConfig(text: string | null, options: ConnectOptions): string | null {
  if (options.remove) return withoutSection(text, toml);
  const foreign =
    text !== null &&
    !text.includes(toml.begin) &&
    text.split('\n').some((line) => /^\s*\[mcp_servers\.signalbox\]/.test(line));
  return foreign ? text : withSection(text, toml, sectionOf(options));
}

function sectionOf(options: ConnectOptions): string {
  const lines = [
    `[mcp_servers.${serverName}]`,
    `url = "${mcpAddress(options, codex.mcp.address)}"`,
    ...(options.token ? ['bearer_token_env_var = "SIGNALBOX_TOKEN"'] : []),
    ...(options.approve
      ? [
          '# These tools claim, report and release work; they run without asking each time.',
          'default_tools_approval_mode = "approve"',
        ]
      : []),
  ];
  const hooks = hookEvents.flatMap((event) => [
    '',
    `[[hooks.${event}]]`,
    `[[hooks.${event}.hooks]]`,
    'type = "command"',
    `command = ${JSON.stringify(hookCommand(options, 'codex'))}`,
    'timeout = 3',
  ]);
  return [...lines, ...(options.hooks ? hooks : [])].join('\n');
}
