import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { EventModelDesk } from '../console/event-model/desk.ts';
import type { RunDesk } from '../console/runs/desk.ts';
import type { CoordinationContext } from '../coordination/context.ts';
import { createPlanFiles } from '../coordination/plans/io/plan-files.ts';
import { createPlanTexts } from '../coordination/plans/io/plan-texts.ts';
import type { PlanFiles } from '../coordination/plans/ports.ts';
import { rescanPlans } from '../coordination/plans/rescan.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import { repositoriesChanged } from '../coordination/repositories/announce.ts';
import { RepositoryBook } from '../coordination/repositories/memory.ts';
import { MemorySearch } from '../coordination/repositories/search.ts';
import { modelsInProcess, runsInProcess } from '../coordination/runs/io/in-process.ts';
import { modelsOverHttp } from '../coordination/runs/io/models-over-http.ts';
import { runsOverHttp } from '../coordination/runs/io/over-http.ts';
import { readerHeader } from '../coordination/runs/io/remote-console.ts';
import type { Models, Runs } from '../coordination/runs/ports.ts';
import { createTeller } from '../coordination/work/announce.ts';
import { openWork } from '../coordination/work/context.ts';
import { expirySweepMs, noteExpired } from '../coordination/work/expiry.ts';
import { addLicence, addPing } from '../edge/asides.ts';
import { addGitHubWebhook } from '../edge/github-webhook.ts';
import { addMcp } from '../edge/mcp.ts';
import type { Aside } from '../edge/openapi.ts';
import { sendRefusal } from '../edge/rest.ts';
import type { Announcements } from '../kernel/announce.ts';
import type { Licence } from '../kernel/licence.ts';
import { isRefusal, refuse } from '../kernel/outcome.ts';
import { openAgents } from './agents.ts';
import type { Config } from './config.ts';
import type { ConsoleParts } from './console.ts';
import { coordinationMeasures } from './coordination-measures.ts';
import { type OpenEvidence, openEvidence } from './evidence.ts';
import { openHosts } from './hosts.ts';
import { openHub } from './hub.ts';
import { openLicence } from './licence.ts';
import type { Logger } from './log.ts';
import { mentionsOf } from './mentions.ts';
import { openNotify } from './notify.ts';
import type { Port, Surround } from './port.ts';
import { ageOf, openStore } from './store.ts';
import { version } from './version.ts';
import { webFolder } from './web-folder.ts';

export type CoordinationParts = {
  port: Port<CoordinationContext>;
  licence: () => Licence;
  /** Where this port is reached; other hosts are told. */
  reachedAt(url: string): void;
  stop(): Promise<void>;
};

/** Port 5526: everything that coordinates, around one event log. */
export async function composeCoordination(surround: Surround, desks: Desks): Promise<CoordinationParts> {
  const { config, clock, announcements, log: logger } = surround;
  const { ctx, agents, runs, hosts, licenceNow } = await openContext(surround, desks);
  const { log } = ctx;
  if (ctx.files) await takePlanFiles(ctx, ctx.files, logger);
  const stopNotify = openNotify(surround, ctx);
  const tell = createTeller(ctx);
  log.onCommitted((events) => [...tell(events), ...repositoriesChanged(events)].forEach(announcements.announce));
  const stopSweep = clock.every(expirySweepMs, () =>
    noteExpired(ctx).catch((err: unknown) => logger.warn({ err }, 'the end of a lease could not be noted')),
  );
  const stopAgents = await agents.start(ctx);
  const evidence = openEvidence(surround, ctx, ctx.repositories, hosts);
  void evidence.look();
  const hub = openHub(surround);
  return {
    licence: licenceNow,
    reachedAt: (url) => hosts?.watch.reachedAt(config.advertiseUrl ?? url),
    port: {
      title: 'Signalbox coordination',
      commands: coordinationCommands,
      ctx,
      web: webFolder,
      measures: coordinationMeasures({ work: ctx, log, sessions: agents.seen, hubClients: hub.clients, hosts }),
      extend(app) {
        hosts?.addRoutes(app);
        if (config.publisherUrl !== undefined) refuseReaders(app);
        addMcp(app, coordinationCommands, ctx, version);
        return [
          addPing(app, version),
          addLicence(app, ctx.licence),
          ...webhook(app, config, evidence),
          ...hub.addRoutes(app),
        ];
      },
      live: hub,
    },
    async stop() {
      stopSweep();
      evidence.stop();
      stopNotify();
      runs.stop();
      await stopAgents();
      if (hosts) await withinMs(partingMs, hosts.watch.stop());
      await withinMs(partingMs, log.close());
    },
  };
}

/** How long the end waits for a database that hangs: nothing that was answered hangs on it any more. */
const partingMs = 2_000;
const withinMs = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, pause(ms, undefined, { ref: false })]);

/** Everything that the handlers get, folded from the log and ready to be asked. */
async function openContext(surround: Surround, desks: Desks) {
  const { config, clock, announcements } = surround;
  const licenceNow = await openLicence(config.licence, config.licencePublicKey, clock);
  const log = await openStore(config, clock, surround.log);
  const files = config.plansPath === undefined ? undefined : createPlanFiles(config.plansPath);
  // A host that is refused must end, and an open store would keep it running.
  const hosts = await openHosts(surround, log, desks).catch(async (fault: unknown) => {
    await log.close();
    throw fault;
  });
  const agents = await openAgents(surround, log, hosts);
  const work = await openWork({ log, clock, files, links: agents.links, sessions: agents.sessions });
  const [repositories, memory] = [new RepositoryBook(), new MemorySearch()];
  await log.attach(repositories);
  await log.attach(memory);
  const relay = openRelay(surround, desks);
  const runs = hosts ? { ...relay, runs: hosts.runs(relay.runs) } : relay;
  const ctx = {
    ...work,
    texts: createPlanTexts(),
    licence: () => ({ mode: config.licenceGate, licence: licenceNow() }),
    keys: { underWay: new Map(), digest: (text: string) => createHash('sha256').update(text).digest('base64url') },
    ageSeconds: () => ageOf(log),
    announcements,
    runs: runs.runs,
    models: runs.models,
    repositories,
    memory,
    mentions: mentionsOf(work.picture, agents.trees),
    agents: agents.board(work, startedBy(runs.runs)),
  } satisfies CoordinationContext;
  return { ctx, agents, runs, hosts, licenceNow };
}

/** Two services that read from each other would hand one question to and fro for ever. */
function refuseReaders(app: FastifyInstance): void {
  const why =
    'This service reads its runs from another console itself. Name that console as Service:PublisherUrl, by default port 5525 of its machine.';
  app.addHook('onRequest', async (request, reply) => {
    if (readerHeader in request.headers) return sendRefusal(reply, refuse('host_unavailable', why));
  });
}

/** Without a secret there is no such route. */
function webhook(app: FastifyInstance, { gitHubWebhookSecret }: Config, evidence: OpenEvidence): readonly Aside[] {
  if (gitHubWebhookSecret === undefined) return [];
  return [addGitHubWebhook(app, gitHubWebhookSecret, () => void evidence.look(['issue', 'pullRequest']))];
}

/** What the console of this process lets coordination ask. */
export type Desks = {
  desk: RunDesk;
  eventModel: EventModelDesk;
  verdicts: ConsoleParts['verdicts'];
  /** What moves on that console. */
  announcements: Announcements;
};

/** The console of this process, or the one that `Service:PublisherUrl` names. */
function openRelay(
  { config, clock, announcements, log: say }: Surround,
  desks: Desks,
): { runs: Runs; models: Models; stop(): void } {
  const { publisherUrl: url, publisherToken: token } = config;
  if (url === undefined) {
    return {
      runs: runsInProcess(desks.desk, announcements),
      models: modelsInProcess(desks.eventModel),
      stop: () => undefined,
    };
  }
  const remote = runsOverHttp({ url, token, clock, announcements, say });
  const far = modelsOverHttp({ url, token }, clock, announcements);
  const stop = () => {
    remote.stop();
    far.stop();
  };
  return { runs: remote.runs, models: far.models, stop };
}

/** The directory of plans at start: what cannot be taken is told in the log, and never stops the service. */
async function takePlanFiles(ctx: CoordinationContext, files: PlanFiles, logger: Logger): Promise<void> {
  const taken = await rescanPlans(ctx, files, 'service');
  if (isRefusal(taken)) logger.warn({ why: taken.detail }, 'the plan files could not be imported');
  else for (const { file, errors } of taken.failed) logger.warn({ file, errors }, 'a plan file could not be imported');
}

/** The runs that name a session as the one that started them. */
const startedBy = (runs: Runs) => async (sessionId: string) => {
  const known = await runs.known();
  return known.runs.filter(({ session }) => session?.toLowerCase() === sessionId);
};
