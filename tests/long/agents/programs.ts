import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ToolWithReader } from '../../../packages/service/src/coordination/agents/tools/tools.ts';

/** Where a program runs: its own home, a project, and our model. */
export type Place = { home: string; project: string; modelUrl: string };

export type Program = {
  /** Its name on the board. */
  id: ToolWithReader;
  name: string;
  npmPackage: string;
  bin: string;
  env(place: Place): Record<string, string>;
  /** The files in a person's home after the first start: no welcome, no trust question, a key. */
  files(place: Place): Record<string, string>;
  /** One prompt without a terminal, every tool allowed. */
  headless(prompt: string): readonly string[];
  /** Whether commands that it runs can read the id of its session. */
  tellsSession: boolean;
  /** Whether each call names its session, so that a claim is linked strongly without a hook. */
  linksItself: boolean;
  /** The files below the home that its sessions are in. */
  writes: { under: string; name: RegExp };
  /** The members that its subagent tool needs besides a prompt; null if there is no such tool. */
  subagent: object | null;
};

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const claude: Program = {
  id: 'claude-code',
  name: 'Claude Code',
  npmPackage: '@anthropic-ai/claude-code',
  bin: 'claude',
  env: ({ modelUrl }) => ({
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: modelUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  files: ({ project }) => ({
    '.claude.json': json({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['none'], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['signalbox'] } },
    }),
  }),
  headless: (prompt) => ['-p', prompt, '--allowedTools', 'Bash,Task,Agent,mcp__signalbox'],
  tellsSession: true,
  linksItself: true,
  writes: { under: '.claude/projects', name: /\.jsonl$/ },
  subagent: { run_in_background: false },
};

const codex: Program = {
  id: 'codex',
  name: 'Codex CLI',
  npmPackage: '@openai/codex',
  bin: 'codex',
  env: () => ({ OPENAI_API_KEY: 'none' }),
  files: ({ project, modelUrl }) => ({
    '.codex/config.toml': [
      'model = "scripted"',
      'model_provider = "scripted"',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${modelUrl}/v1"`,
      'wire_api = "responses"',
      'env_key = "OPENAI_API_KEY"',
      'requires_openai_auth = false',
      `[projects."${project}"]`,
      'trust_level = "trusted"',
      '',
    ].join('\n'),
  }),
  headless: (prompt) => ['exec', '--dangerously-bypass-approvals-and-sandbox', prompt],
  tellsSession: true,
  linksItself: true,
  writes: { under: '.codex/sessions', name: /rollout-.*\.jsonl$/ },
  subagent: {},
};

const gemini: Program = {
  id: 'gemini',
  name: 'Gemini CLI',
  npmPackage: '@google/gemini-cli',
  bin: 'gemini',
  env: ({ modelUrl }) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl }),
  files: ({ project }) => ({
    '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      general: { disableAutoUpdate: true },
      telemetry: { enabled: false },
    }),
    '.gemini/trustedFolders.json': json({ [project]: 'TRUST_FOLDER' }),
  }),
  headless: (prompt) => ['--yolo', '-m', 'gemini-2.5-pro', '-p', prompt],
  tellsSession: false,
  linksItself: false,
  writes: { under: '.gemini/tmp', name: /session-.*\.jsonl$/ },
  subagent: { agent_name: 'generalist' },
};

const copilot: Program = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  npmPackage: '@github/copilot',
  bin: 'copilot',
  env: ({ modelUrl }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_MODEL: 'scripted',
  }),
  files: () => ({}),
  headless: (prompt) => ['--trust-folder', '--allow-all-tools', '-p', prompt],
  tellsSession: true,
  linksItself: false,
  writes: { under: '.copilot/session-state', name: /events\.jsonl$/ },
  subagent: {},
};

const opencode: Program = {
  id: 'opencode',
  name: 'OpenCode',
  npmPackage: 'opencode-ai',
  bin: 'opencode',
  env: () => ({}),
  files: ({ modelUrl }) => ({
    '.config/opencode/opencode.json': json({
      autoupdate: false,
      share: 'disabled',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
          models: { scripted: { name: 'scripted', limit: { context: 200_000, output: 8_000 } } },
        },
      },
    }),
  }),
  headless: (prompt) => ['run', '-m', 'scripted/scripted', prompt],
  tellsSession: false,
  linksItself: false,
  writes: { under: '.local/share/opencode', name: /^opencode\.db$/ },
  subagent: {},
};

export const programs: readonly Program[] = [claude, codex, gemini, copilot, opencode];

export const programOf = (id: Program['id']): Program => {
  const found = programs.find((program) => program.id === id);
  if (!found) throw new Error(`no program ${id}`);
  return found;
};

/** Writes each program's files in its home; called again when a project is added. */
export async function prepareHome(place: Place): Promise<void> {
  for (const program of programs) {
    for (const [path, text] of Object.entries(program.files(place))) {
      await mkdir(dirname(join(place.home, path)), { recursive: true });
      await writeFile(join(place.home, path), text);
    }
  }
}
