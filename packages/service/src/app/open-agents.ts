import { setTimeout as pause } from 'node:timers/promises';
import { createUnsavedReader } from '../coordination/agents/io/unsaved-work.ts';
import { watchSessions } from '../coordination/agents/io/watch-sessions.ts';
import type { AgentWatch } from '../coordination/agents/watch.ts';
import { createBoard, type SessionRuns } from '../coordination/work/board.ts';
import { createClaimLinks, type LinkProjection, sessionLookupOf } from '../coordination/work/claim-session.ts';
import { watchClaimSessions } from '../coordination/work/claim-session-watch.ts';
import type { WorkContext } from '../coordination/work/work-context.ts';
import type { EventLog } from '../kernel/event-log.ts';
import type { Hosts } from './open-hosts.ts';
import { openObservers } from './open-observers.ts';
import type { ServiceDeps } from './port.ts';

/** Bounds how long the start waits for the first poll, so that a hanging directory cannot keep the ports closed. */
const firstPollMs = 3_000;

/** Observes the sessions of this host and joins them with claims. Reads nothing before `start`. */
export function openAgents(deps: ServiceDeps, log: EventLog, projection: LinkProjection, hosts: Hosts | null) {
  const { config, clock, announcements, log: logger } = deps;
  const watch = watchSessions({
    host: config.hostName,
    claudePaths: config.sessionsPaths,
    folderOf: config.folderOf,
    clock,
    announcements,
    onFault: (err) => logger.warn({ err }, 'cannot observe sessions'),
  });
  const elsewhere = openObservers(deps, (name) => hosts?.isHost(name) ?? false);
  const joined = elsewhere.joined(watch);
  const observed = hosts?.sessionObservations(joined) ?? joined;
  return {
    links: createClaimLinks(projection, observed, () => log.now()),
    sessions: sessionLookupOf(observed, watch),
    observed: () => observed.sessions(),
    trees: () => observed.trees(),
    commandContext: (work: WorkContext, runsOf: SessionRuns) => ({
      agents: createBoard({
        work,
        watch: observed,
        clock,
        runsOf,
        host: config.hostName,
        readUnsaved: createUnsavedReader(),
        hookElsewhere: elsewhere.receiveHook,
      }),
      observers: elsewhere,
    }),
    observers: elsewhere.observers,
    /** Live sessions that this host itself observes. */
    liveHere: () => watch.sessions().filter(({ live }) => live).length,
    async start(work: WorkContext): Promise<() => Promise<void>> {
      const fault = (err: unknown) => logger.warn({ err }, 'cannot store the session behind a claim');
      const stopKeeper = watchClaimSessions({
        work,
        projection,
        announcements,
        host: config.hostName,
        follows: (host) => host === config.hostName || elsewhere.observers.has(host),
        observations: observed,
        others: {
          present: () => hosts !== null && !hosts.isAlone(),
          concludeHere: () => hosts?.isResponsible('links') ?? true,
        },
        fault,
      });
      const stopWatch = await startWatch(watch);
      const stopListening = elsewhere.start();
      return async () => {
        stopListening();
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
