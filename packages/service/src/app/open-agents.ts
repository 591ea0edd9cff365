import { setTimeout as pause } from 'node:timers/promises';
import { GitLocator, systemGitConfigs } from '../coordination/agents/io/git-locator.ts';
import { createSessionReaders } from '../coordination/agents/io/session-readers.ts';
import { createUnsavedReader } from '../coordination/agents/io/unsaved-work.ts';
import { type ToolName, toolHomes } from '../coordination/agents/tools/tools.ts';
import { type AgentWatch, createAgentWatch } from '../coordination/agents/watch.ts';
import { createBoard, type SessionRuns } from '../coordination/work/board.ts';
import { createClaimLinks, type LinkProjection, sessionLookupOf } from '../coordination/work/claim-session.ts';
import { watchClaimSessions } from '../coordination/work/claim-session-watch.ts';
import type { WorkContext } from '../coordination/work/work-context.ts';
import { realPath } from '../files/real-path.ts';
import type { EventLog } from '../kernel/event-log.ts';
import { platform } from '../platform/platform.ts';
import type { Hosts } from './open-hosts.ts';
import type { ServiceDeps } from './port.ts';

/** Bounds how long the start waits for the first poll, so that a hanging directory cannot keep the ports closed. */
const firstPollMs = 3_000;

/** Observes the sessions of this host and joins them with claims. Reads nothing before `start`. */
export function openAgents(
  { config, clock, announcements, log: logger }: ServiceDeps,
  log: EventLog,
  projection: LinkProjection,
  hosts: Hosts | null,
) {
  // A process names the files that it holds open by their real paths.
  const homes = toolHomes(config.folderOf);
  const homesOf = (tool: ToolName) => {
    const named = tool === 'claude-code' ? config.sessionsPaths : [homes.get(tool) ?? []].flat();
    return [...new Set(named.map(realPath))];
  };
  const readerOptions = (path: string) => ({ path, clock, watches: platform.silentFileSystem(path) === null });
  const watch = createAgentWatch({
    host: config.hostName,
    readers: createSessionReaders(homesOf, readerOptions),
    probe: new GitLocator({ globalConfigs: systemGitConfigs(), worktreeHomes: homesOf('codex') }),
    clock,
    announcements,
    onFault: (err) => logger.warn({ err }, 'cannot observe sessions'),
  });
  const observed = hosts?.sessionObservations(watch) ?? watch;
  return {
    links: createClaimLinks(projection, observed, () => log.now()),
    sessions: sessionLookupOf(observed, watch),
    observed: () => observed.sessions(),
    trees: () => observed.trees(),
    /** Live sessions that this host itself observes. */
    liveHere: () => watch.sessions().filter(({ live }) => live).length,
    board: (work: WorkContext, runsOf: SessionRuns) =>
      createBoard({ work, watch: observed, clock, runsOf, host: config.hostName, readUnsaved: createUnsavedReader() }),
    async start(work: WorkContext): Promise<() => Promise<void>> {
      const fault = (err: unknown) => logger.warn({ err }, 'cannot store the session behind a claim');
      const stopKeeper = watchClaimSessions({
        work,
        projection,
        announcements,
        host: config.hostName,
        observations: observed,
        others: {
          present: () => hosts !== null && !hosts.isAlone(),
          concludeHere: () => hosts?.isResponsible('links') ?? true,
        },
        fault,
      });
      const stopWatch = await startWatch(watch);
      return async () => {
        await stopWatch();
        await stopKeeper();
      };
    },
  };
}

async function startWatch(watch: AgentWatch): Promise<() => Promise<void>> {
  const started = watch.start();
  await Promise.race([started, pause(firstPollMs, undefined, { ref: false })]);
  return async () => (await started)();
}
