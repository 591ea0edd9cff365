import { realPath } from '../../../files/real-path.ts';
import type { Announcements } from '../../../kernel/announcements.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { platform } from '../../../platform/platform.ts';
import { type ToolName, toolHomes } from '../tools/tools.ts';
import { type AgentWatch, createAgentWatch } from '../watch.ts';
import { GitLocator, systemGitConfigs } from './git-locator.ts';
import { createSessionReaders } from './session-readers.ts';

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
