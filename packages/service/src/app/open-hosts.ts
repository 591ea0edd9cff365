import type { FastifyInstance } from 'fastify';
import { newestShared } from '../../../event-model/src/verdicts.ts';
import type { AgentWatch } from '../coordination/agents/watch.ts';
import { runsOfAllHosts } from '../coordination/hosts/all-hosts-runs.ts';
import { sessionsOfAllHosts } from '../coordination/hosts/all-hosts-sessions.ts';
import type { HostsContext } from '../coordination/hosts/commands.ts';
import type { ReplacedHistory, SharedHost } from '../coordination/hosts/contract.ts';
import { hostViews } from '../coordination/hosts/host-views.ts';
import { enterHosts, HostRefused } from '../coordination/hosts/io/enter-hosts.ts';
import {
  isTouching,
  type LocalObservations,
  type OwnConsole,
  observeLocally,
} from '../coordination/hosts/local-observations.ts';
import type { OtherHost, OtherHosts } from '../coordination/hosts/other-hosts.ts';
import { isResponsible } from '../coordination/hosts/responsible-host.ts';
import { createHostWatch, type HostWatch } from '../coordination/hosts/watch.ts';
import { type Observers, observerView } from '../coordination/observers/observers.ts';
import { auditOn } from '../coordination/runs/io/audit-over-http.ts';
import { ConsoleOverHttp } from '../coordination/runs/io/console-over-http.ts';
import { type ConsoleAddress, fetchFromConsole, forHostHeader } from '../coordination/runs/io/remote-console.ts';
import { RemoteRunEvents } from '../coordination/runs/io/remote-run-events.ts';
import { runsInProcess } from '../coordination/runs/io/runs-in-process.ts';
import type { RunSource } from '../coordination/runs/ports.ts';
import type { TreeChanges } from '../coordination/trees/overlaps.ts';
import { sendRefusal } from '../edge/rest.ts';
import type { AuditFilter, AuditOfHost } from '../kernel/audit.ts';
import { hostKey } from '../kernel/host-table.ts';
import { isRefusal, refuse } from '../kernel/outcome.ts';
import type { DatabaseTime } from '../store/postgres/postgres-log.ts';
import { BadConfig } from './config.ts';
import type { ConsoleQueries } from './console-queries.ts';
import type { Store } from './open-store.ts';
import type { ServiceDeps } from './port.ts';
import { version } from './version.ts';

/** The other hosts of the same store, joined with what this host observes. */
export type Hosts = {
  watch: HostWatch;
  sessionObservations(own: AgentWatch): AgentWatch;
  /** The changes of the live trees of all reachable hosts. */
  treeChanges(own: () => readonly TreeChanges[]): () => readonly TreeChanges[];
  runs(own: RunSource): RunSource;
  /** Whether this host is the one of the live hosts that observes the subject. */
  isResponsible(what: string): boolean;
  /** Whether this host is responsible among the hosts with a clone of that repository. */
  isResponsibleFor(repository: string): boolean;
  /** The repositories this host has clones of. */
  shareClones(repositories: ReadonlySet<string>): void;
  isHost(name: string): boolean;
  /** Whether no other host is alive. */
  isAlone(): boolean;
  /** Whether another host has a clone of a repository. */
  isReadElsewhere(repository: string): boolean;
  /** The newest value that any host reported; `own` is this host's. */
  replacedHistory(own: () => ReplacedHistory | null): () => ReplacedHistory | null;
  /** Calls every other host, as for details of its runs. */
  probe(): Promise<ReadonlyMap<string, string>>;
  /** The audits of all other hosts, each requested from its host. */
  audit(filter: AuditFilter & { limit: number }): Promise<readonly AuditOfHost[]>;
  knowsRun(runId: string): boolean;
  addRoutes(app: FastifyInstance): void;
  stop(): void;
};

/** Null if the store is not shared. A name used by a live host is refused before anything is served. */
export async function openHosts(
  deps: ServiceDeps,
  { hosts: table, time, log }: Store,
  queries: ConsoleQueries,
): Promise<Hosts | null> {
  if (!table) return null;
  const { config, clock, announcements, log: logger } = deps;
  const me = await enterHosts(table, config).catch((fault: unknown) => {
    throw fault instanceof HostRefused ? new BadConfig(fault.message) : fault;
  });
  const local: LocalObservations = {
    sessions: null,
    changes: null,
    clones: new Set(),
    replaced: () => null,
    host: aboutThisHost(config.hostName, time),
  };
  const observe = observeLocally(local, ownConsole(deps, queries), () => watch.otherHosts);
  const warn = (details: object, text: string) => logger.warn(details, text);
  const watch: HostWatch = createHostWatch({ table, self: me, clock, announcements, observe: observe.all, warn });
  const hear = observe.touching(watch.markChanged);
  for (const feed of new Set([announcements, queries.announcements])) feed.listen(hear, isTouching);
  queries.verdicts.joinWith(newestShared(() => watch.otherHosts.all()));
  queries.runQueries.runs.history.joinWith({
    isAlone: () => [...watch.otherHosts.all()].length === 0,
    all: () => [...watch.otherHosts.all()].flatMap(({ tests }) => [...tests.values()]),
  });
  watch.onChange(({ verdicts }) => {
    if (verdicts) watch.markChanged('verdict');
  });
  log.onReplaced(() => watch.storeReplaced());
  await watch.start();
  return joinHosts(deps, queries, watch, local);
}

const steadyMs = 250;

/** Keeps the published offset until it moves noticeably, so that a heartbeat alone is not a change. */
function aboutThisHost(name: string, time: DatabaseTime | undefined): () => SharedHost {
  let clockOffsetMs: number | null = null;
  return () => {
    const measured = time?.machineAheadMs() ?? null;
    if (measured === null || clockOffsetMs === null || Math.abs(measured - clockOffsetMs) >= steadyMs)
      clockOffsetMs = measured;
    return { name, version, clockOffsetMs };
  };
}

/** Runs of a remote console are not shared: every host that needs them names that console itself. */
function ownConsole({ config, announcements }: ServiceDeps, queries: ConsoleQueries): OwnConsole {
  const isOwn = config.publisherUrl === undefined;
  const { get, retried } = runsInProcess(queries.runQueries, announcements);
  return {
    runIds: async () => (isOwn ? (await queries.runQueries.list({})).map(({ runId }) => runId) : []),
    run: get,
    retried,
    modelName: () => (isOwn ? queries.eventModel.name() : null),
    verdicts: () => queries.verdicts.verdicts.all(),
    tests: async () => (isOwn ? queries.runQueries.runs.history.shared() : []),
  };
}

function joinHosts(
  { config, announcements }: ServiceDeps,
  { runQueries }: ConsoleQueries,
  watch: HostWatch,
  local: LocalObservations,
): Hosts {
  const { otherHosts } = watch;
  const self = hostKey(config.hostName);
  const livingHosts = () => [...otherHosts.all()].filter(({ away }) => !away);
  const addressOf = ({ name, url }: OtherHost): ConsoleAddress => ({
    // An unknown address counts as no answer.
    url: url ?? '',
    token: config.token,
    forHost: name,
    unavailableText: unavailableTextOf(name, url),
  });
  const remoteEvents = new RemoteRunEvents({
    announcements,
    addressOf(runId) {
      const host = livingHosts().find(({ run, url }) => url !== null && run.get(runId)?.run.state === 'running');
      return host && addressOf(host);
    },
  });
  watch.onChange(() => remoteEvents.leaveEnded());
  return {
    watch,
    stop: () => remoteEvents.stop(),
    sessionObservations(own) {
      local.sessions = own;
      return { ...own, ...sessionsOfAllHosts(own, otherHosts) };
    },
    treeChanges(own) {
      local.changes = own;
      return () => [...own(), ...livingHosts().flatMap(({ changes }) => [...changes.values()])];
    },
    runs: (own) =>
      runsOfAllHosts({
        own,
        otherHosts,
        remoteRuns: (host) => new ConsoleOverHttp(addressOf(host)),
        follow: (runId) => remoteEvents.follow(runId),
        onEjected: watch.dropRun,
        onChange: (listener) =>
          watch.onChange(({ runs, ejected }) => {
            if (runs.length + ejected.length > 0) listener();
          }),
      }),
    ...responsibilityAmong(self, livingHosts),
    shareClones(repositories) {
      local.clones = repositories;
      watch.markChanged('clone');
    },
    isHost: (name) => [...otherHosts.all()].some(({ key }) => key === hostKey(name)),
    isAlone: () => livingHosts().length === 0,
    isReadElsewhere: (repository) => livingHosts().some(({ clone }) => clone.has(repository)),
    replacedHistory: noticedByAny(local, livingHosts),
    ...askOthers(otherHosts, addressOf),
    knowsRun: (runId) =>
      runQueries.runs.registry.get(runId) !== undefined || [...otherHosts.all()].some(({ run }) => run.has(runId)),
    addRoutes: (app) => refuseForOthers(app, config.hostName),
  };
}

const askOthers = (
  otherHosts: OtherHosts,
  addressOf: (host: OtherHost) => ConsoleAddress,
): Pick<Hosts, 'probe' | 'audit'> => ({
  async probe() {
    const asked = [...otherHosts.all()].map(async (host) => {
      const answer = await fetchFromConsole(addressOf(host), 'list_runs', { limit: 1 });
      if (isRefusal(answer)) return [host.name, answer.detail] as const;
      await answer.body?.cancel();
      return [host.name, 'ok'] as const;
    });
    return new Map(await Promise.all(asked));
  },
  audit: (filter) => Promise.all([...otherHosts.all()].map((host) => auditOfHost(host.name, addressOf(host), filter))),
});

/** The newest value that any live host reported, so that all hosts, including newly started ones, agree. */
const noticedByAny =
  (local: LocalObservations, livingHosts: () => OtherHost[]): Hosts['replacedHistory'] =>
  (own) => {
    local.replaced = own;
    const others = () =>
      livingHosts().flatMap(({ host }) => [...host.values()].flatMap(({ replaced }) => replaced ?? []));
    return () => [own() ?? [], others()].flat().toSorted((one, other) => (one.at < other.at ? 1 : -1))[0] ?? null;
  };

const auditOfHost = async (host: string, address: ConsoleAddress, filter: object): Promise<AuditOfHost> => ({
  host,
  page: await auditOn(address, filter),
});

function responsibilityAmong(
  self: string,
  livingHosts: () => OtherHost[],
): Pick<Hosts, 'isResponsible' | 'isResponsibleFor'> {
  const isAmong = (hosts: OtherHost[], subject: string) =>
    isResponsible(
      self,
      hosts.map(({ key }) => key),
      subject,
    );
  return {
    isResponsible: (what) => isAmong(livingHosts(), what),
    isResponsibleFor: (repository) =>
      isAmong(
        livingHosts().filter(({ clone }) => clone.has(repository)),
        repository,
      ),
  };
}

/** Every host of the store, or this one alone. */
export const hostsContext = (
  { config, clock, installation }: ServiceDeps,
  { log, time }: Store,
  { runQueries }: ConsoleQueries,
  { hosts, liveSessions, observers }: { hosts: Hosts | null; liveSessions: () => number; observers: Observers },
): Pick<HostsContext, 'hosts' | 'probeHosts'> => ({
  hosts: () => [
    ...hostViews(
      {
        name: config.hostName,
        version,
        clockOffsetMs: time?.machineAheadMs() ?? null,
        url: config.advertiseUrl ?? installation.serviceUrl,
        sessions: liveSessions(),
        runs: runQueries.runs.registry.size,
      },
      hosts?.watch.otherHosts.all() ?? [],
      Date.parse(log.now()),
      clock.monotonic(),
    ),
    ...[...observers.all()].map((one) => observerView(one, clock.monotonic())),
  ],
  probeHosts: async () => hosts?.probe() ?? new Map(),
});

const unavailableTextOf = (name: string, url: string | null): string =>
  url === null
    ? `This run is on the host ${name}, which has not published its address. Try again once that host is running.`
    : `This run is on the host ${name}, which does not answer at ${url}. Try again later, or correct its Service:AdvertiseUrl. Hosts that share a store need the same Service:Token.`;

/** A request relayed to the wrong host must not be answered by it. */
function refuseForOthers(app: FastifyInstance, self: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const meant = request.headers[forHostHeader];
    if (typeof meant !== 'string' || hostKey(meant) === hostKey(encodeURIComponent(self))) return;
    return sendRefusal(
      reply,
      refuse('host_unavailable', `This is the host ${self}. Correct the Service:AdvertiseUrl of the host you meant.`),
    );
  });
}
