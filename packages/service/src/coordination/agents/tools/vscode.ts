import { agentTool, variable } from './tool.ts';

/** The chat of Visual Studio Code. Its sessions are not read. */
export const vscode = agentTool({
  name: 'vscode',
  title: 'VS Code',
  client: /^(vscode|visual studio code)/i,
  sessions: null,
  resume: null,
  mcp: {
    path: '.vscode/mcp.json',
    servers: 'servers',
    token: variable('env:SIGNALBOX_TOKEN'),
    address: { client: 'vscode' },
    server: ({ url, headers }) => ({ type: 'http', url, ...headers }),
  },
});
