import { agentTool, variable } from './tool.ts';

/**
 * Cursor, the editor and its CLI (`cursor-agent`). They keep chats in SQLite databases whose format is not documented
 * (`~/.cursor/chats`), so sessions are not read: claims carry the client's name, and a session only if the call names it.
 */
export const cursor = agentTool({
  name: 'cursor',
  title: 'Cursor',
  aliases: ['cursor-agent'],
  client: /^cursor/i,
  sessions: null,
  resume: (id) => `cursor-agent --resume ${id}`,
  mcp: {
    path: '.cursor/mcp.json',
    servers: 'mcpServers',
    token: variable('env:SIGNALBOX_TOKEN'),
    address: { client: 'cursor' },
    server: ({ url, headers }) => ({ type: 'http', url, ...headers }),
  },
});
