import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Verdict, Verdicts } from '../console/event-model/ports.ts';
import type { AgentWatch } from '../coordination/agents/watch.ts';
import { isOnDuty } from '../coordination/hosts/duty.ts';
import { hostIdIn } from '../coordination/hosts/io/host-id.ts';
import type { Neighbour } from '../coordination/hosts/neighbours.ts';
import { runsOfAll } from '../coordination/hosts/runs.ts';
import { sightingsOfAll } from '../coordination/hosts/sightings.ts';
import { createHostWatch, type HostWatch } from '../coordination/hosts/watch.ts';
import { ConsoleOverHttp } from '../coordination/runs/io/console-over-http.ts';
import { relayHeader } from '../coordination/runs/io/remote-console.ts';
import type { Runs } from '../coordination/runs/ports.ts';
import { sendRefusal } from '../edge/rest.ts';
import type { EventLog } from '../kernel/event-log.ts';
import { type HostTable, hostKey } from '../kernel/host-table.ts';
import { refuse } from '../kernel/outcome.ts';
import { BadConfig } from './config.ts';
import type { Desks } from './coordination.ts';
import type { Surround } from './port.ts';
import { type Here, observingHere } from './shared-here.ts';

/** The other hosts of the same store, joined with what is seen here. */
export type Hosts = {
  watch: HostWatch;
  sightings(own: AgentWatch): AgentWatch;
  runs(own: Runs): Runs;
  /** Whether this host, of those that live, is to look at what any of them could. */
  onDuty(what: string): boolean;
  /** The same among those that can look into that repository. */
  onDutyFor(repository: string): boolean;
  /** Which repositories this host can look into. */
  looksInto(repositories: ReadonlySet<string>): void;
  /** Whether nobody else is heard of. */
  isAlone(): boolean;
  knowsRun(runId: string): boolean;
  addRoutes(app: FastifyInstance): void;
};

/** Null where the store is this host's alone. A name that a living host has is refused before anything is served. */
export async function openHosts(surround: Surround, log: EventLog, desks: Desks): Promise<Hosts | null> {
  const table = (log as { hosts?: HostTable }).hosts;
  if (!table) return null;
  const { config, clock, announcements, log: logger } = surround;
  const place = `process ${process.pid} on ${hostname()}`;
  const me = { name: config.hostName, life: randomUUID(), home: hostIdIn(config.dataPath), place };
  const taken = await table.enter(me);
  if (taken) {
    throw new BadConfig(
      `A host called ${me.name} is already there: ${taken.takenBy}. Give this one another Service:HostName, or stop that one; if it has crashed, wait half a minute.`,
    );
  }
  const here: Here = { sessions: null, clones: new Set() };
  const observe = observingHere(surround, desks, here, () => watch.neighbours);
  const warn = (details: object, text: string) => logger.warn(details, text);
  const watch: HostWatch = createHostWatch({ table, me, clock, announcements, observe: observe.all, warn });
  observe.touching(watch.touch);
  desks.verdicts.joinWith(verdictsOf(watch));
  watch.onMoved(({ verdicts }) => {
    if (verdicts) watch.touch('verdict');
  });
  await watch.start();
  return joined(surround, desks, watch, here);
}

function joined({ config }: Surround, { desk }: Desks, watch: HostWatch, here: Here): Hosts {
  const { neighbours } = watch;
  const self = hostKey(config.hostName);
  const living = () => [...neighbours.all()].filter(({ away }) => !away);
  const far = ({ name, url }: Neighbour) =>
    new ConsoleOverHttp({
      // Where none is known there is no address to try, and that is as good as no answer.
      url: url ?? '',
      token: config.token,
      relayTo: name,
      away: awayText(name, url),
    });
  return {
    watch,
    sightings(own) {
      here.sessions = own;
      return { ...own, ...sightingsOfAll(own, neighbours) };
    },
    runs: (own) =>
      runsOfAll({
        own,
        neighbours,
        far,
        ejected: watch.dropRun,
        onMoved: (listener) =>
          watch.onMoved(({ runs, ejected }) => {
            if (runs.length + ejected.length > 0) listener();
          }),
      }),
    onDuty: (what) =>
      isOnDuty(
        self,
        living().map(({ key }) => key),
        what,
      ),
    onDutyFor: (repository) =>
      isOnDuty(
        self,
        living()
          .filter(({ clone }) => clone.has(repository))
          .map(({ key }) => key),
        repository,
      ),
    looksInto(repositories) {
      here.clones = repositories;
      watch.touch('clone');
    },
    isAlone: () => living().length === 0,
    knowsRun: (runId) =>
      desk.runs.registry.get(runId) !== undefined || [...neighbours.all()].some(({ run }) => run.has(runId)),
    addRoutes: (app) => refuseForOthers(app, config.hostName),
  };
}

const awayText = (name: string, url: string | null): string =>
  url === null
    ? `The host ${name} has this run and has not told where it is reached. Try again once it is up.`
    : `The host ${name} has this run and does not answer at ${url}. Try again once it is back, or mend its Service:AdvertiseUrl; hosts that share a store share one Service:Token.`;

/** A request that was relayed to the wrong place must not be answered as if it were the right one. */
function refuseForOthers(app: FastifyInstance, self: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const meant = request.headers[relayHeader];
    if (typeof meant !== 'string' || hostKey(meant) === hostKey(encodeURIComponent(self))) return;
    return sendRefusal(
      reply,
      refuse('host_unavailable', `This is the host ${self}. Mend the Service:AdvertiseUrl of the host that was meant.`),
    );
  });
}

/** The newest verdicts of all other hosts. */
function verdictsOf({ neighbours }: HostWatch): Verdicts {
  const newest = (identity: string): Verdict | undefined => {
    let best: Verdict | undefined;
    for (const { verdict } of neighbours.all()) {
      const one = verdict.get(identity) as Verdict | undefined;
      if (one && (!best || one.at > best.at || (one.at === best.at && one.runId > best.runId))) best = one;
    }
    return best;
  };
  return {
    newest,
    *all() {
      const seen = new Set<string>();
      for (const { verdict } of neighbours.all()) {
        for (const identity of verdict.keys()) {
          const best = seen.has(identity) ? undefined : newest(identity);
          seen.add(identity);
          if (best) yield best;
        }
      }
    },
  };
}
