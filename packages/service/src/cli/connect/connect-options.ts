import type { AgentTool } from '../../coordination/agents/tools/tool.ts';
import type { ToolName } from '../../coordination/agents/tools/tools.ts';
import { mcpPath } from '../../kernel/service-paths.ts';

export type ConnectOptions = {
  /** The service's address, without a trailing slash. */
  url: string;
  /** `owner/name` of the project: a connection then takes work of this repository. Null if it has no remote. */
  repository: string | null;
  /** True if the service requires a token: the files name its variable, never its value. */
  token: boolean;
  hooks: boolean;
  /** Name of a machine whose sessions only hooks report; null if they are observed otherwise. */
  hooksOnly: string | null;
  /** True shows `signalbox prompt` in Claude Code's status line. */
  statusLine: boolean;
  /** True lets the work loop tools run without asking each time. */
  approve: boolean;
  remove: boolean;
  tools: readonly ToolName[];
};

export const serverName = 'signalbox';

/** The tools of `?tools=work`: they claim, report and release work, and change nothing else. */
export const workTools = [
  'next_ready_nodes',
  'claim_next',
  'claim_node',
  'report_node',
  'release_node',
  'await_dependencies',
  'await_node',
] as const;

/** The URL of the MCP server for a client. */
export function mcpAddress({ url, repository }: ConnectOptions, more: AgentTool['mcp']['address']): string {
  const query = [
    ...(repository === null ? [] : [`repository=${repository}`]),
    ...Object.entries(more).map(([name, value]) => `${name}=${value}`),
  ];
  return `${url}${mcpPath}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}
