import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConnectOptions } from '../../packages/service/src/cli/connect/connect-options.ts';
import { planChanges } from '../../packages/service/src/cli/connect/plan-changes.ts';
import { applyChanges, readText } from '../../packages/service/src/cli/connect/project-files.ts';
import { agentTools } from '../../packages/service/src/coordination/agents/tools/tools.ts';

const options: ConnectOptions = {
  url: 'http://127.0.0.1:5526',
  repository: 'acme/shop',
  token: false,
  hooks: true,
  hooksOnly: null,
  statusLine: false,
  approve: true,
  remove: false,
  tools: agentTools.map(({ name }) => name),
};

const server = '"mine": { "command": "x" }';
const layouts: Record<string, Record<string, string>> = {
  'nothing at all': { 'README.md': '# Shop\n' },
  'empty files': { '.mcp.json': '', 'AGENTS.md': '', '.codex/config.toml': '', '.claude/settings.json': '\n' },
  comments: {
    '.vscode/mcp.json': '// ours\n{\n  "servers": {\n    // mine\n    "mine": { "url": "u" }, /* last */\n  },\n}\n',
    'opencode.jsonc': '{\n  // the model\n  "model": "x", // a good one\n}\n',
  },
  tabs: {
    '.mcp.json': `{\n\t"mcpServers": {\n\t\t${server}\n\t}\n}\n`,
    '.claude/settings.json': '{\n\t"model": "x"\n}\n',
  },
  'the line ends of Windows': {
    '.mcp.json': `{\r\n  "mcpServers": {\r\n    ${server}\r\n  }\r\n}\r\n`,
    'AGENTS.md': '# Rules\r\n\r\nNever on Fridays.\r\n',
    '.codex/config.toml': 'model = "x"\r\n',
  },
  'no line break at the end': {
    'AGENTS.md': '# Rules',
    '.codex/config.toml': '[mcp_servers.mine]\ncommand = "x"',
    '.gemini/settings.json': '{"mcpServers":{}}',
  },
  'servers of others': {
    '.mcp.json': `{ "mcpServers": { ${server} } }`,
    '.cursor/mcp.json': `{\n    "mcpServers": {\n        ${server}\n    }\n}`,
    '.github/mcp.json': `{"mcpServers":{${server}}}\n`,
    'opencode.json': '{ "mcp": { "mine": { "type": "remote", "url": "u" } } }\n',
  },
  'hooks of others': {
    '.claude/settings.json':
      '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ],\n    "PreToolUse": []\n  }\n}\n',
  },
  'permissions of others': {
    '.claude/settings.json': '{\n  "permissions": {\n    "allow": ["Bash(npm test)"],\n    "deny": []\n  }\n}\n',
  },
  'files that were never ours and cannot be read': {
    '.vscode/settings.json': '{ broken',
    'AGENTS.md': '# Rules\n\n\n',
    '.codex/config.toml': '# signalbox is fine\n\n',
  },
  'a file that only its owner may read': { '.mcp.json': '{}\n' },
};

test.each(Object.entries(layouts))('connecting and removing leave git clean: %s', async (_, files) => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-layout-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'core.autocrlf=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const read = (path: string) => readText(folder, path);
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
      await chmod(join(folder, path), 0o600);
    }
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'Begin');
    for (const hooks of [true, false]) applyChanges(folder, planChanges(read, { ...options, hooks }));
    expect(planChanges(read, { ...options, hooks: false })).toEqual([]);
    expect(git('status', '--porcelain')).not.toBe('');
    for (const path of Object.keys(files)) expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600);
    applyChanges(folder, planChanges(read, { ...options, remove: true }));
    expect(git('status', '--porcelain')).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a file that was never ours and cannot be read does not stop removing', async () => {
  const files: Record<string, string> = { '.vscode/mcp.json': '{ broken', 'AGENTS.md': 'a\n' };
  expect(planChanges((path) => files[path] ?? null, { ...options, remove: true })).toEqual([]);
});
