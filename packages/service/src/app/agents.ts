import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CodexSessions } from '../coordination/agents/io/codex-sessions.ts';
import { GitRoots } from '../coordination/agents/io/git-root.ts';
import { SessionDirectory } from '../coordination/agents/io/session-directory.ts';
import { type AgentWatch, createAgentWatch } from '../coordination/agents/watch.ts';
import { createBoard, type SessionRuns } from '../coordination/work/board.ts';
import type { WorkContext } from '../coordination/work/context.ts';
import { LinkBook } from '../coordination/work/link-book.ts';
import { startLinkKeeper } from '../coordination/work/link-keeper.ts';
import { createClaimLinks, liveSessionsOf } from '../coordination/work/links.ts';
import type { EventLog } from '../kernel/event-log.ts';
import type { Hosts } from './hosts.ts';
import type { Surround } from './port.ts';

/** How long the start waits for the first look; a directory that hangs must not keep the ports closed. */
const firstLookMs = 3_000;

/** The observer of this host's sessions, and what joins them with claims. It looks at nothing before `start`. */
export async function openAgents(
  { config, clock, announcements, log: logger }: Surround,
  log: EventLog,
  hosts: Hosts | null,
) {
  const watch = createAgentWatch({
    host: config.hostName,
    sources: [
      ...config.sessionsPaths.map((path) => new SessionDirectory({ path, clock })),
      new CodexSessions({ path: config.codexPath, clock }),
    ],
    probe: new GitRoots({ globalConfigs: gitConfigs() }),
    clock,
    announcements,
    fault: (err) => logger.warn({ err }, 'sessions could not be observed'),
  });
  const seen = hosts?.sightings(watch) ?? watch;
  const book = new LinkBook();
  await log.attach(book);
  return {
    links: createClaimLinks(book, seen, () => log.now()),
    sessions: liveSessionsOf(seen),
    seen: () => seen.sessions(),
    trees: () => seen.trees(),
    board: (work: WorkContext, runsOf: SessionRuns) => createBoard({ work, watch: seen, clock, runsOf }),
    async start(work: WorkContext): Promise<() => Promise<void>> {
      const fault = (err: unknown) => logger.warn({ err }, 'the session behind a claim could not be remembered');
      const stopKeeper = startLinkKeeper({ work, book, announcements, host: config.hostName, seen, fault });
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
  await Promise.race([started, pause(firstLookMs, undefined, { ref: false })]);
  return async () => (await started)();
}

const gitConfigs = (): string[] => [
  '/etc/gitconfig',
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'git/config'),
  join(homedir(), '.gitconfig'),
];
