import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { GitLocator, systemGitConfigs } from '../coordination/agents/io/git-locator.ts';
import { agentTools, type ToolName, toolNamed } from '../coordination/agents/tools/tools.ts';
import { serviceAddress } from './addresses.ts';
import { CallFailed, exitCodes } from './client.ts';
import { agreed } from './connect/agreed.ts';
import { CannotConnect, diffOf } from './connect/change.ts';
import { devcontainerChanges } from './connect/devcontainer.ts';
import { planChanges } from './connect/plan-changes.ts';
import { applyChanges, readText } from './connect/project-files.ts';
import { userFile } from './user-folder.ts';

type Options = {
  dir?: string;
  url?: string;
  for: string;
  hooks?: boolean;
  statusLine?: boolean;
  approval: boolean;
  tests?: boolean;
  devcontainer?: boolean;
  hooksOnly?: string;
  remove?: boolean;
  yes?: boolean;
};

const names = agentTools.map(({ name }) => name).join(', ');
const defaultUrl = 'http://127.0.0.1:5526';

/** `signalbox connect`: configures the agents of a project to find and take work. */
export function addConnect(program: Command): void {
  program
    .command('connect')
    .description(
      'connect the coding agents of a project: MCP server, skill, AGENTS.md; shows the changes and asks first',
    )
    .option('--dir <folder>', 'the project (default: the current directory)')
    .option('--url <address>', `the coordination service (default: SIGNALBOX_SERVICE_URL, else ${defaultUrl})`)
    .option('--for <tools>', `which tools, comma separated: ${names}`, 'claude-code,codex')
    .option(
      '--hooks',
      'also add hooks (Claude Code, Codex): session starts and ends appear immediately, and every claim has its session id',
    )
    .option(
      '--hooks-only <name>',
      'name of a cloud machine that cannot run an observer: only hooks report its sessions (needs SIGNALBOX_TOKEN)',
    )
    .option('--devcontainer', 'start an observer in the devcontainer of this project, so that its sessions are seen')
    .option('--status-line', "show what you hold in Claude Code's status line (signalbox prompt)")
    .option('--no-approval', 'ask before each call of the work loop tools')
    .option(
      '--tests',
      'connect tests instead of agents: adds the publisher as one file, and one line to the configuration of each test framework',
    )
    .option('--remove', 'undo: with --tests remove the publisher, otherwise the agent settings')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: Options) => {
      try {
        process.exitCode = options.tests ? await tests(options) : await connect(options);
      } catch (fault) {
        if (fault instanceof CannotConnect) throw new CallFailed(fault.message, exitCodes.refused);
        throw fault;
      }
    });
}

async function tests({ dir, remove = false, yes = false }: Options): Promise<number> {
  const folder = userFile(dir ?? '.');
  requireFolder(folder);
  const { connectTests } = await import('./connect-tests/connect-tests.ts');
  return connectTests(folder, { remove, yes });
}

async function connect({
  dir,
  url,
  for: named,
  hooks = false,
  hooksOnly,
  devcontainer = false,
  statusLine = false,
  approval,
  remove = false,
  yes = false,
}: Options): Promise<number> {
  const folder = userFile(dir ?? '.');
  requireFolder(folder);
  const connectOptions = {
    url: addressOf(url),
    repository: await repositoryOf(folder),
    token: Boolean(process.env.SIGNALBOX_TOKEN),
    hooks: hooks || hooksOnly !== undefined,
    hooksOnly: hookHost(hooksOnly),
    statusLine,
    approve: approval,
    remove,
    tools: toolsOf(named),
  };
  const read = (path: string) => readText(folder, path);
  const changes = devcontainer ? devcontainerChanges(read, connectOptions) : planChanges(read, connectOptions);
  if (changes.length === 0) {
    process.stdout.write(remove ? 'Not connected. Nothing to do.\n' : 'Already connected. Nothing to do.\n');
    return exitCodes.done;
  }
  process.stdout.write(`${changes.map(diffOf).join('\n')}\n`);
  if (!yes && !(await agreed(folder))) return exitCodes.refused;
  applyChanges(folder, changes);
  const next = devcontainer
    ? 'Connected. Set SIGNALBOX_OBSERVE_TOKEN to a token with the observe scope if the service asks for one, and rebuild the container.\n'
    : 'Connected. Agents see it from their next session.\n';
  process.stdout.write(remove ? 'Disconnected.\n' : next);
  return exitCodes.done;
}

/** It becomes part of a URL in a shell command. */
function hookHost(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (!/^\w[\w.-]{0,62}$/.test(name))
    throw new CannotConnect('--hooks-only must be a name of at most 63 letters, digits, dots and dashes.');
  if (process.env.SIGNALBOX_TOKEN) return name;
  throw new CannotConnect(
    'A session that only hooks report needs a named token with the work scope: set SIGNALBOX_TOKEN first ("signalbox tokens create NAME --scope work").',
  );
}

function requireFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CannotConnect(`${folder} is not a folder. Set the project folder with --dir; nothing was written.`);
}

/** `owner/name` from the remote, if it is safe in a URL. */
async function repositoryOf(folder: string): Promise<string | null> {
  const { repository } = await new GitLocator({ globalConfigs: systemGitConfigs() }).locate(folder, null);
  return repository?.split('/').map(encodeURIComponent).join('/') ?? null;
}

/** The address goes into files that shells and other programs read, so characters with a special meaning are rejected. */
function addressOf(url: string | undefined): string {
  const address = serviceAddress(url ?? (process.env.SIGNALBOX_SERVICE_URL?.trim() || defaultUrl)).replace(
    /\/api\/mcp$/,
    '',
  );
  if (URL.canParse(address) && /^https?:\/\/[\w.:[\]/~%-]+$/.test(address)) return address;
  throw new CannotConnect(`--url must be an http address such as ${defaultUrl}, not ${address}.`);
}

function toolsOf(named: string): ToolName[] {
  return named.split(',').map((text) => {
    const word = text.trim().toLowerCase();
    const tool = toolNamed(word);
    if (tool) return tool.name;
    throw new CannotConnect(`--for accepts ${names}, not "${word}".`);
  });
}
