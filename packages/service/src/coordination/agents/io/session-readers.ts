import { realPath } from '../../../files/real-path.ts';
import type { Announcements } from '../../../kernel/announcements.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { platform } from '../../../platform/platform.ts';
import type { SessionReader } from '../ports.ts';
import { isDocumentTool } from '../tools/tool.ts';
import { agentTools, type ToolName, type ToolWithReader, toolHomes } from '../tools/tools.ts';
import { type AgentWatch, createAgentWatch } from '../watch.ts';
import { ClaudeSessions } from './claude-sessions.ts';
import { CodexSessions } from './codex-sessions.ts';
import { CopilotSessions } from './copilot-sessions.ts';
import { DocumentSessions } from './document-sessions.ts';
import { GeminiSessions } from './gemini-sessions.ts';
import { GitLocator, systemGitConfigs } from './git-locator.ts';
import { OpenCodeSessions } from './opencode-sessions.ts';
import type { ReaderOptions } from './polled-reader.ts';

type Reader = new (options: ReaderOptions) => SessionReader;

/** A tool with a custom layout does not compile without a reader. */
const readers: Readonly<Record<ToolWithReader, Reader>> = {
  'claude-code': ClaudeSessions,
  codex: CodexSessions,
  gemini: GeminiSessions,
  copilot: CopilotSessions,
  opencode: OpenCodeSessions,
};

/** One reader for each folder of each tool whose sessions are read. */
export function createSessionReaders(
  homesOf: (tool: ToolName) => readonly string[],
  optionsOf: (home: string) => ReaderOptions,
): SessionReader[] {
  const byName = new Map<string, Reader>(Object.entries(readers));
  return agentTools.flatMap((tool): SessionReader[] => {
    const options = homesOf(tool.name).map(optionsOf);
    if (isDocumentTool(tool)) return options.map((one) => new DocumentSessions(tool, one));
    const Reader = byName.get(tool.name);
    return Reader ? options.map((one) => new Reader(one)) : [];
  });
}

export type WatchSessionsOptions = {
  host: string;
  /** Configuration directories of Claude Code. */
  claudePaths: readonly string[];
  folderOf: Parameters<typeof toolHomes>[0];
  clock: Clock;
  announcements: Announcements;
  onFault: (error: unknown) => void;
};

/** Watches the sessions of every tool on this machine, in the service and in an observer. Reads nothing before `start`. */
export function watchSessions({ host, claudePaths, folderOf, ...options }: WatchSessionsOptions): AgentWatch {
  const homes = toolHomes(folderOf);
  const homesOf = (tool: ToolName) => {
    const named = tool === 'claude-code' ? claudePaths : [homes.get(tool) ?? []].flat();
    // A process names the files that it holds open by their real paths.
    return [...new Set(named.map(realPath))];
  };
  const { clock } = options;
  return createAgentWatch({
    ...options,
    host,
    readers: createSessionReaders(homesOf, (path) => ({
      path,
      clock,
      watches: platform.silentFileSystem(path) === null,
    })),
    probe: new GitLocator({ globalConfigs: systemGitConfigs(), worktreeHomes: homesOf('codex') }),
  });
}
