import type { AgentTool } from '../../coordination/agents/tools/tool.ts';
import type { ToolName } from '../../coordination/agents/tools/tools.ts';
import { mcpPath } from '../../kernel/service-paths.ts';

export type ConnectOptions = {
  /** The service's address, without a slash at its end. */
  url: string;
  /** Of the project, as `owner/name`: a connection then takes work of this repository. Null where it has no remote. */
  repository: string | null;
  /** True where the service wants a token: its variable is named in the files, never its value. */
  token: boolean;
  hooks: boolean;
  /** Name of a box whose sessions nothing but hooks reports; null where they are seen otherwise. */
  hooksOnly: string | null;
  /** True shows `signalbox prompt` in Claude Code's status line. */
  statusLine: boolean;
  /** True lets the tools of the work loop run without a question each time. */
  approve: boolean;
  remove: boolean;
  tools: readonly ToolName[];
};

export const serverName = 'signalbox';

/** The tools of `?tools=work`: they take, report and give back work, and change nothing else. */
export const workTools = [
  'next_ready_nodes',
  'claim_next',
  'claim_node',
  'report_node',
  'release_node',
  'await_dependencies',
  'await_node',
] as const;

/** Where a client finds the MCP server. */
export function mcpAddress({ url, repository }: ConnectOptions, more: AgentTool['mcp']['address']): string {
  const query = [
    ...(repository === null ? [] : [`repository=${repository}`]),
    ...Object.entries(more).map(([name, value]) => `${name}=${value}`),
  ];
  return `${url}${mcpPath}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}
