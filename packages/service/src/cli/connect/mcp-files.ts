import { type ConnectOptions, mcpAddress, serverName, type Tool } from './connect-options.ts';
import type { Ours } from './json-edit.ts';

type JsonObject = { readonly [key: string]: unknown };
type McpFile = { path: string; holder: string; server: (options: ConnectOptions) => JsonObject };

/** Each tool reads the variable in a form of its own: another's form would be sent as it stands. */
const headers = ({ token }: ConnectOptions, value: string) =>
  token ? { headers: { Authorization: `Bearer ${value}` } } : {};
const variable = (prefix: string): string => `$\{${prefix}SIGNALBOX_TOKEN}`;

/** The file of each tool that is JSON, and how a server over HTTP is written there. */
export const mcpFiles: Partial<Record<Tool, McpFile>> = {
  // GitHub's Copilot CLI reads this file too: it names no client.
  claude: {
    path: '.mcp.json',
    holder: 'mcpServers',
    server: (options) => ({ type: 'http', url: mcpAddress(options), ...headers(options, variable('')) }),
  },
  gemini: {
    path: '.gemini/settings.json',
    holder: 'mcpServers',
    server: (options) => ({
      httpUrl: mcpAddress(options, { client: 'gemini', tools: 'work' }),
      ...headers(options, variable('')),
      ...(options.approve && { trust: true }),
    }),
  },
  copilot: {
    path: '.github/mcp.json',
    holder: 'mcpServers',
    server: (options) => ({
      type: 'http',
      url: mcpAddress(options, { client: 'copilot' }),
      tools: ['*'],
      ...headers(options, variable('')),
    }),
  },
  opencode: {
    path: 'opencode.json',
    holder: 'mcp',
    server: (options) => ({
      type: 'remote',
      url: mcpAddress(options, { client: 'opencode' }),
      enabled: true,
      ...headers(options, '{env:SIGNALBOX_TOKEN}'),
    }),
  },
  cursor: {
    path: '.cursor/mcp.json',
    holder: 'mcpServers',
    server: (options) => ({
      type: 'http',
      url: mcpAddress(options, { client: 'cursor' }),
      ...headers(options, variable('env:')),
    }),
  },
  vscode: {
    path: '.vscode/mcp.json',
    holder: 'servers',
    server: (options) => ({
      type: 'http',
      url: mcpAddress(options, { client: 'vscode' }),
      ...headers(options, variable('env:')),
    }),
  },
};

export const serverOf = ({ holder, server }: McpFile, options: ConnectOptions): Ours => ({
  path: [holder],
  key: serverName,
  value: server(options),
  isOurs: leadsToUs,
});

/** A server of that name which leads elsewhere is the user's own. */
export function leadsToUs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { url, httpUrl } = value as JsonObject;
  return [url, httpUrl].some((address) => typeof address === 'string' && /\/api\/mcp(\?|$)/.test(address));
}
