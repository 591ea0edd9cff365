import { setTimeout as pause } from 'node:timers/promises';
import { watchSessions } from '../coordination/agents/io/session-readers.ts';
import { createUnsavedReader } from '../coordination/agents/io/unsaved-work.ts';
import type { AgentWatch } from '../coordination/agents/watch.ts';
import { rehearseMerge } from '../coordination/trees/io/rehearse-merge.ts';
import { watchChanges } from '../coordination/trees/io/watch-changes.ts';
import { OverlapIndex } from '../coordination/trees/overlap-index.ts';
import { createBoard, type SessionRuns } from '../coordination/work/board.ts';
import { createClaimLinks, type LinkProjection, sessionLookupOf } from '../coordination/work/claim-session.ts';
import { watchClaimSessions } from '../coordination/work/claim-session-watch.ts';
import { createOverlapBoard } from '../coordination/work/overlap-board.ts';
import type { WorkContext } from '../coordination/work/work-context.ts';
import type { EventLog } from '../kernel/event-log.ts';
import type { Hosts } from './open-hosts.ts';
import { type OpenObservers, openObservers } from './open-observers.ts';
import type { ServiceDeps } from './port.ts';

/** Bounds how long the start waits for the first poll, so that a hanging directory cannot keep the ports closed. */
const firstPollMs = 3_000;

/** Changes that observers send together are compared only once. */
const burstMs = 200;

/** Observes the sessions of this host and joins them with claims. Reads nothing before `start`. */
export function openAgents(
  deps: ServiceDeps,
  log: EventLog,
  projection: LinkProjection,
  hosts: Hosts | null,
  defaultBranchOf: (repository: string) => string | null,
) {
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
  const { changes, overlaps } = openChanges(deps, watch, { hosts, elsewhere }, defaultBranchOf);
  const seen = { sessions: () => observed.sessions(), trees: () => observed.trees() };
  return {
    links: createClaimLinks(projection, observed, () => log.now(), overlaps.bySession(seen.trees)),
    sessions: sessionLookupOf(observed, watch),
    observed: seen.sessions,
    trees: seen.trees,
    commandContext: (work: WorkContext, runsOf: SessionRuns) => ({
      agents: createBoard({
        work,
        watch: observed,
        clock,
        runsOf,
        host: config.hostName,
        readUnsaved: createUnsavedReader(),
        hookElsewhere: elsewhere.receiveHook,
        overlaps,
      }),
      observers: elsewhere,
      overlapBoard: createOverlapBoard(work, overlaps, { ...seen, host: config.hostName, rehearse: rehearseMerge }),
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
      const stops = [elsewhere.start(), changes.start(), stopWatch, stopKeeper];
      return async () => {
        for (const stop of stops) await stop();
      };
    },
  };
}

async function startWatch(watch: AgentWatch): Promise<() => Promise<void>> {
  const started = watch.start();
  await Promise.race([started, pause(firstPollMs, undefined, { ref: false })]);
  return async () => (await started)();
}

/** The changes of the live trees of this host, and conflicts between those of all hosts. */
function openChanges(
  { config, clock, announcements, log: logger }: ServiceDeps,
  watch: AgentWatch,
  { hosts, elsewhere }: { hosts: Hosts | null; elsewhere: OpenObservers },
  defaultBranchOf: (repository: string) => string | null,
) {
  const changes = watchChanges({
    host: config.hostName,
    trees: () => watch.trees(),
    defaultBranchOf,
    clock,
    announcements,
    onChange: () => overlaps.refresh(),
    onFault: (err) => logger.warn({ err }, 'cannot read the changes of working trees'),
  });
  const seenHere = () => [...changes.all(), ...elsewhere.observers.treeChanges()];
  const overlaps = new OverlapIndex(hosts?.treeChanges(seenHere) ?? seenHere, announcements);
  let isScheduled = false;
  elsewhere.onTreeChanges(() => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      overlaps.refresh();
    }, burstMs).unref();
  });
  hosts?.watch.onChange((moved) => {
    if (moved.changes) overlaps.refresh();
  });
  return { changes, overlaps };
}
