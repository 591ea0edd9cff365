import { describe, expect, test } from 'vitest';
import { agentTools } from '../../coordination/agents/tools/tools.ts';
import { diffOf, type FileChange } from './change.ts';
import type { ConnectOptions } from './connect-options.ts';
import { planChanges } from './plan-changes.ts';

const wanted: ConnectOptions = {
  url: 'http://127.0.0.1:5526',
  repository: 'acme/shop',
  token: false,
  hooks: false,
  hooksOnly: null,
  statusLine: false,
  approve: true,
  remove: false,
  tools: agentTools.map(({ name }) => name),
};
const written = (options: Partial<ConnectOptions>, files: Record<string, string> = {}) =>
  Object.fromEntries(
    planChanges((path) => files[path] ?? null, { ...wanted, ...options }).map(({ path, after }) => [path, after]),
  );

test("if a token is required, each file names its variable in that tool's syntax, never its value", () => {
  const files = written({
    token: true,
    hooks: true,
    tools: ['codex', 'gemini', 'opencode', 'cursor', 'vscode', 'claude-code'],
  });
  const plain = ['Bearer $', '{SIGNALBOX_TOKEN}'].join('');
  const prefixed = ['Bearer $', '{env:SIGNALBOX_TOKEN}'].join('');
  expect(files['.mcp.json']).toContain(plain);
  expect(files['.gemini/settings.json']).toContain(plain);
  expect(files['.cursor/mcp.json']).toContain(prefixed);
  expect(files['.vscode/mcp.json']).toContain(prefixed);
  expect(files['opencode.json']).toContain('Bearer {env:SIGNALBOX_TOKEN}');
  expect(files['.codex/config.toml']).toContain('bearer_token_env_var = "SIGNALBOX_TOKEN"');
  expect(files['.claude/settings.json']).toContain('Bearer $SIGNALBOX_TOKEN');
});

test('every URL names the repository, and the client too if only that client reads the file', () => {
  const files = written({});
  expect(files['.mcp.json']).toContain('/api/mcp?repository=acme/shop"');
  expect(files['.codex/config.toml']).toContain('/api/mcp?repository=acme/shop&client=codex&tools=work"');
  expect(files['.gemini/settings.json']).toContain('client=gemini');
  expect(files['opencode.json']).toContain('client=opencode');
  expect(written({ tools: ['copilot'] })['.github/mcp.json']).toContain('client=copilot');
  expect(written({ repository: null })['.mcp.json']).toContain('/api/mcp"');
});

test('Copilot reads the file of Claude Code, and gets its own file only if there is none', () => {
  expect(Object.keys(written({ tools: ['claude-code', 'copilot'] }))).not.toContain('.github/mcp.json');
  expect(Object.keys(written({ tools: ['copilot'] }))).toEqual(['.github/mcp.json', 'AGENTS.md']);
});

test('OpenCode is extended in the file that is there', () => {
  expect(Object.keys(written({ tools: ['opencode'] }, { 'opencode.jsonc': '{ // mine\n}' }))).toContain(
    'opencode.jsonc',
  );
});

describe('approval', () => {
  test('allows the work loop tools and shows it before writing', () => {
    const changes = planChanges(() => null, { ...wanted, tools: ['claude-code', 'codex'] });
    const diff = changes.map(diffOf).join('\n');
    expect(diff).toContain('(permissions.allow: Claude Code calls the work loop tools without asking');
    expect(diff).toContain('"mcp__signalbox__claim_next"');
    expect(diff).not.toContain('archive_plan');
    expect(diff).toContain('default_tools_approval_mode = "approve"');
  });

  test('is left out unless it was requested', () => {
    const files = written({ approve: false });
    expect(files['.claude/settings.json']).toBeUndefined();
    expect(files['.codex/config.toml']).not.toContain('approval');
    expect(files['.gemini/settings.json']).not.toContain('trust');
  });
});

describe('hooks', () => {
  test('need no Node and no script, and never fail', () => {
    const files = written({ hooks: true, tools: ['claude-code', 'codex'] });
    const { hooks } = JSON.parse(files['.claude/settings.json'] ?? '{}');
    expect(Object.keys(hooks)).toEqual(['SessionStart', 'PreToolUse', 'Stop', 'SessionEnd']);
    for (const [
      {
        hooks: [hook],
      },
    ] of Object.values(hooks) as [{ hooks: [{ command: string }] }][]) {
      expect(hook.command).toMatch(/^curl -sf -m 2 .*\/api\/agents\/hooks\?attended=.* \|\| true$/);
    }
    expect(files['.codex/config.toml']).toContain('[[hooks.SessionEnd.hooks]]');
  });

  test('of an earlier version are replaced by those of this version', () => {
    const old = {
      '.claude/hooks/signalbox-session.mjs': '// signalbox: adds this session',
      '.claude/hooks/signalbox-stop.mjs': '// mine, of the same name',
      '.claude/settings.json':
        '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "command": "node .claude/hooks/signalbox-stop.mjs" }] }\n    ]\n  }\n}\n',
    };
    const files = written({ hooks: true, tools: ['claude-code'] }, old);
    expect(files['.claude/hooks/signalbox-session.mjs']).toBeNull();
    expect(Object.keys(files)).not.toContain('.claude/hooks/signalbox-stop.mjs');
    expect(files['.claude/settings.json']).not.toContain('signalbox-stop');
    expect(JSON.parse(files['.claude/settings.json'] ?? '').hooks.Stop).toHaveLength(1);
  });
});

test('a skill that somebody else wrote is not replaced, and does not prevent removal', () => {
  const file = { '.claude/skills/signalbox/SKILL.md': '# Mine\n' };
  expect(() => written({ tools: ['claude-code'] }, file)).toThrow('Move it away first');
  expect(written({ remove: true }, file)).toEqual({});
});

test('control characters are shown as codes', () => {
  const change: FileChange = { path: 'AGENTS.md', before: 'a\u001b[2Jb\u202e\tc\r\n', after: null };
  expect(diffOf(change)).toBe('delete AGENTS.md\n  - a\\u{1b}[2Jb\\u{202e}\tc\n');
});

test("Claude Code's status line shows the prompt; an existing status line is kept", () => {
  const files = written({ statusLine: true, tools: ['claude-code'] });
  expect(files['.claude/settings.json']).toContain('"command": "signalbox prompt --url http://127.0.0.1:5526"');
  const again = written(
    { remove: true, tools: ['claude-code'] },
    { '.claude/settings.json': files['.claude/settings.json'] ?? '' },
  );
  expect(again['.claude/settings.json']).toBeNull();
  const theirs = { '.claude/settings.json': '{ "statusLine": { "type": "command", "command": "git branch" } }' };
  expect(() => written({ statusLine: true, tools: ['claude-code'] }, theirs)).toThrow('has a status line of its own');
  expect(written({ tools: ['claude-code'] }, theirs)['.claude/settings.json']).toContain('git branch');
});
