import { hash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { TokenProjection } from '../coordination/access/token-projection.ts';
import { mcpCaller } from '../coordination/agents/tools/tools.ts';
import type { CoordinationContext } from '../coordination/coordination-context.ts';
import { censusOf, describeMissing, type MissingHistory, missingNow } from '../coordination/needs/replaced-history.ts';
import { createPlanFiles } from '../coordination/plans/io/plan-files.ts';
import { createPlanTexts } from '../coordination/plans/io/plan-texts.ts';
import type { PlanFiles } from '../coordination/plans/ports.ts';
import { rescanPlans } from '../coordination/plans/rescan.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import { repositoryAnnouncements } from '../coordination/repositories/repository-announcements.ts';
import { mentionsOf } from '../coordination/repository-mentions.ts';
import { modelsOverHttp } from '../coordination/runs/io/models-over-http.ts';
import { readerHeader } from '../coordination/runs/io/remote-console.ts';
import { modelsInProcess, runsInProcess } from '../coordination/runs/io/runs-in-process.ts';
import { runsOverHttp } from '../coordination/runs/io/runs-over-http.ts';
import type { ModelSource, RunSource } from '../coordination/runs/ports.ts';
import { runsOfSession } from '../coordination/runs/runs-of-session.ts';
import { withdrawProof } from '../coordination/withdraw-proof.ts';
import { pollBoundSuites } from '../coordination/work/evidence-targets.ts';
import { expirySweepMs, noteExpired } from '../coordination/work/expiry.ts';
import { claimsWith } from '../coordination/work/held-claims.ts';
import { plansOver } from '../coordination/work/open-work.ts';
import { createWorkAnnouncer } from '../coordination/work/work-announcer.ts';
import { type WorkContext, workOver } from '../coordination/work/work-context.ts';
import type { WorkState } from '../coordination/work/work-state.ts';
import { addLicence, addPing } from '../edge/extra-routes.ts';
import { addGitHubWebhook } from '../edge/github-webhook.ts';
import { addMcp } from '../edge/mcp.ts';
import type { ExtraRoute } from '../edge/openapi.ts';
import { sendRefusal } from '../edge/rest.ts';
import { hashOf } from '../edge/token.ts';
import { yieldIfBusy } from '../event-loop/cooperative.ts';
import type { Freshness, Licence } from '../kernel/dispatch.ts';
import type { EventLog } from '../kernel/event-log.ts';
import { isRefusal, refuse } from '../kernel/outcome.ts';
import type { Proofs } from '../run-contract/declarations.ts';
import type { Config } from './config.ts';
import type { ConsoleQueries } from './console-queries.ts';
import { coordinationMeasures } from './coordination-measures.ts';
import { moveArchivedPlans } from './move-archived-plans.ts';
import { openAgents } from './open-agents.ts';
import { type OpenEvidence, openEvidence } from './open-evidence.ts';
import { type Hosts, hostsContext, openHosts } from './open-hosts.ts';
import { openHub } from './open-hub.ts';
import { openLicence } from './open-licence.ts';
import { freshnessOf, openStore, type Store } from './open-store.ts';
import { type OpenedWebhooks, openWebhooks } from './open-webhooks.ts';
import type { Port, ServiceDeps } from './port.ts';
import { createProjections, type Projections } from './projections.ts';
import { ProofsOfProcess } from './proofs-of-process.ts';
import { coordinationReference } from './reference.ts';
import { RevokedTokens, withoutRevoked } from './revoked-tokens.ts';
import { settleOrder } from './settle-order.ts';
import { traceNodes } from './trace-nodes.ts';
import { version } from './version.ts';
import { webFolder } from './web-folder.ts';

export type ComposedCoordination = {
  port: Port<CoordinationContext>;
  licence: () => Licence;
  /** The proofs by runs of this process's console. */
  proofs: Proofs;
  /** The address of this port, which is shared with other hosts. */
  reachedAt(url: string): void;
  stop(): Promise<void>;
};

/** Port 5526: everything that coordinates, around one event log. */
export async function composeCoordination(deps: ServiceDeps, queries: ConsoleQueries): Promise<ComposedCoordination> {
  const { config, clock, log: logger } = deps;
  const { ctx, store, agents, runs, hosts, licenceNow, settled, webhooks, revoked } = await openContext(deps, queries);
  const { log } = ctx;
  const stopImport = ctx.files && (await importPlanFiles(deps, ctx, ctx.files));
  const stopWebhooks = webhooks.start({ ...ctx, observed: agents.observed, trees: agents.trees });
  announceChanges(deps, ctx);
  const traces = deps.telemetry?.traces;
  if (traces) traceNodes(traces, { ...ctx, hosts, runs: queries.runQueries.runs });
  const stopSweep = clock.every(expirySweepMs, () =>
    noteExpired(ctx).catch((err: unknown) => logger.warn({ err }, 'cannot record the end of a lease')),
  );
  const stopFreshness = announceFreshness(deps, ctx);
  const stopAgents = await agents.start(ctx);
  const evidence = openEvidence(deps, ctx, ctx.repositories, hosts);
  void evidence.poll();
  settled.attach({ ...ctx.proofs, settle: () => evidence.settle(['suite']) });
  const hub = openHub(deps, coordinationCommands, ctx);
  return {
    licence: licenceNow,
    proofs: { ...ctx.proofs, settle: () => settled.settle() },
    reachedAt: (url) => hosts?.watch.announceUrl(config.advertiseUrl ?? url),
    port: {
      ...coordinationReference,
      commands: coordinationCommands,
      ctx,
      web: webFolder,
      measures: coordinationMeasures({ work: ctx, store, sessions: agents.observed, hub, hosts }),
      extend(app) {
        hosts?.addRoutes(app);
        if (config.publisherUrl !== undefined) refuseReaders(app);
        addMcp(app, coordinationCommands, { ...ctx, audit: deps.access.audit.recordSoon }, mcpOptions(deps, ctx));
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
      stopImport?.();
      stopSweep();
      stopFreshness();
      evidence.stop();
      runs.stop();
      hosts?.stop();
      await stopAgents();
      await stopWebhooks();
      await withinMs(closeTimeoutMs, revoked.stop());
      if (hosts) await withinMs(closeTimeoutMs, hosts.watch.stop());
      await withinMs(closeTimeoutMs, log.close());
    },
  };
}

function announceChanges({ announcements, log: logger }: ServiceDeps, ctx: CoordinationContext): void {
  const announceWork = createWorkAnnouncer(ctx);
  ctx.log.onReplaced((change) => {
    logger.warn(change, 'the database has a different history from the one in memory; the whole log was read again');
    announcements.announce({ type: 'reset', data: {} });
  });
  ctx.log.onCommitted((events) => {
    const isWanted = announcements.wanted('plan_changed') || announcements.wanted('claim_changed');
    if (isWanted) announceWork(events).forEach(announcements.announce);
    else ctx.workState.progress.takeChanged();
    repositoryAnnouncements(events).forEach(announcements.announce);
  });
}

const freshnessMs = 500;

/**
 * Notifies listeners when the database becomes unreachable and when it is back; if nothing else changes, nothing else
 * notifies them.
 */
function announceFreshness(
  { clock, announcements }: ServiceDeps,
  { freshness }: { freshness: () => Freshness },
): () => void {
  let isStale = false;
  return clock.every(freshnessMs, () => {
    const { host, staleSince } = freshness();
    if ((staleSince !== null) === isStale) return;
    isStale = staleSince !== null;
    announcements.announce({ type: 'store_changed', data: { host, staleSince } });
  });
}

const mcpOptions = ({ clock, announcements }: ServiceDeps, { plans }: CoordinationContext) => ({
  version,
  clock,
  callerOf: mcpCaller,
  announcements,
  plans,
});

/** How long stopping waits for a hanging database. Everything that was answered is already durable. */
const closeTimeoutMs = 2_000;
const withinMs = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, pause(ms, undefined, { ref: false })]);

/** The context of the handlers, folded from the log. */
async function openContext(deps: ServiceDeps, queries: ConsoleQueries) {
  const { config, clock } = deps;
  const licenceNow = await openLicence(config.licence, config.licencePublicKey, clock);
  const { store, hosts } = await openStoreAndHosts(deps, queries);
  const { log } = store;
  const files = config.plansPath === undefined ? undefined : createPlanFiles(config.plansPath);
  const webhooks = openWebhooks(deps, store);
  const { workState, links, repositories, memory, tokens } = await foldLog(log, webhooks);
  const revoked = useTokens(deps, log, tokens);
  await moveArchivedPlans(log, workState.plans, config.archiveDays, deps.log);
  const agents = openAgents(deps, log, links, hosts, (repository) => repositories.defaultBranchOf(repository));
  const { sessions } = agents;
  const orderSettled = settleOrder(workState.progress, log);
  const work = workOver({
    log,
    clock,
    workState,
    links: agents.links,
    sessions,
    orderSettled,
    submittedHours: config.submittedHours,
    maxAttempts: config.maxAttempts,
    maxClaimsOf: (repository) => repositories.maxClaimsOf(repository),
  });
  const runSource = openRunSource(deps, queries);
  const runs = hosts ? { ...runSource, runs: hosts.runs(runSource.runs) } : runSource;
  const { settled, ...proofContext } = openProofs(config, { ...work, runs: runs.runs });
  const ctx = {
    ...work,
    ...plansOver(work),
    files,
    licence: () => ({ mode: config.licenceGate, licence: licenceNow() }),
    ...ofProcess(),
    freshness: () => freshnessOf(store, config.hostName),
    runs: runs.runs,
    ...proofContext,
    models: runs.models,
    repositories,
    memory,
    tokens,
    auditReader: deps.access.audit,
    hostName: config.hostName,
    auditElsewhere: hosts?.audit ?? null,
    ...claimsAndHistory(store, workState, tokens, hosts),
    webhooks,
    mentions: mentionsOf(work.workState, agents.trees),
    ...agents.commandContext(work, runsOfSession(runs.runs)),
    ...hostsContext(deps, store, queries, { ...agents, hosts, liveSessions: agents.liveHere }),
  } satisfies CoordinationContext;
  return { ctx, store, agents, runs, hosts, licenceNow, settled, webhooks, revoked };
}

async function openStoreAndHosts(deps: ServiceDeps, queries: ConsoleQueries) {
  const store = await openStore(deps);
  // A refused host must exit, and an open store would keep the process running.
  const hosts = await openHosts(deps, store, queries).catch(async (fault: unknown) => {
    await store.log.close();
    throw fault;
  });
  return { store, hosts };
}

/** Revoked tokens stay revoked after any restore. */
function useTokens(
  { config: { dataPath }, clock, access, log: logger }: ServiceDeps,
  log: EventLog,
  tokens: TokenProjection,
) {
  const revoked = new RevokedTokens({ dataPath, log, tokens, clock, logger });
  access.authenticator.useNamedTokens(withoutRevoked(tokens, revoked));
  return revoked;
}

/** The claims that a token still holds; and the entries of a replaced history that the new one lacks. */
function claimsAndHistory(
  { log, onReplacing }: Store,
  workState: WorkState,
  tokens: TokenProjection,
  hosts: Hosts | null,
) {
  let before: ReturnType<typeof censusOf> | null = null;
  let missing: MissingHistory | null = null;
  const isAccepted = ({ at }: { at: string }) => at <= tokens.historyAcceptedAt();
  onReplacing?.(() => {
    if (missing && isAccepted(missing)) missing = null;
    before ??= censusOf(workState, tokens);
  });
  log.onReplaced(({ foldedBefore, foldedNow }) => {
    const events = Math.max(0, foldedBefore - foldedNow);
    if (before) missing = missingNow(missing, before, { workState, tokens, at: log.now(), events });
    before = null;
  });
  const noticed = () => missing && describeMissing(missing);
  const newest = hosts?.replacedHistory(noticed) ?? noticed;
  return {
    replacedHistory() {
      const found = newest();
      return found && !isAccepted(found) ? found : null;
    },
    liveClaimsWith: (token: string) => claimsWith(workState, token, log.now()),
  };
}

/** Answers queries to evidence until its observers are open. */
function openProofs({ suiteProof }: Config, work: WorkContext & { runs: RunSource }) {
  const settled = new ProofsOfProcess();
  const withdraw: Proofs['withdraw'] = (runId, by, dryRun) => withdrawProof(work, suiteProof, { runId, by, dryRun });
  return {
    settled,
    proofs: { withdraw },
    afterWrite: pollBoundSuites(work.log, () => settled.settle()),
  };
}

/** Everything that calls need beside the log. */
const ofProcess = () => ({
  idempotency: { inProgress: new Map(), digest },
  texts: createPlanTexts(),
  yieldIfBusy,
  drawSecret,
});

const digest = (text: string): string => hash('sha256', text, 'base64url');

/** 256 bits; the prefix lets people and leak scanners recognise it. */
function drawSecret(): { token: string; hash: string } {
  const token = `sbx_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashOf(token) };
}

/** Folds all projections in one read of the log. */
async function foldLog(log: EventLog, { follow }: OpenedWebhooks): Promise<Projections> {
  const projections = createProjections();
  await log.attach(...Object.values(projections), ...(await follow(projections.workState)));
  return projections;
}

/** Prevents an endless loop of two services that read from each other. */
function refuseReaders(app: FastifyInstance): void {
  const why =
    'This service reads its own runs from another console. Set Service:PublisherUrl to that console (port 5525 of its machine by default).';
  app.addHook('onRequest', async (request, reply) => {
    if (readerHeader in request.headers) return sendRefusal(reply, refuse('host_unavailable', why));
  });
}

/** Without a secret this route does not exist. */
function webhook(app: FastifyInstance, { gitHubWebhookSecret }: Config, evidence: OpenEvidence): readonly ExtraRoute[] {
  if (gitHubWebhookSecret === undefined) return [];
  return [addGitHubWebhook(app, gitHubWebhookSecret, () => void evidence.poll(['issue', 'pullRequest']))];
}

/** The console of this process, or the one that `Service:PublisherUrl` names. */
function openRunSource(
  { config, clock, announcements, log }: ServiceDeps,
  queries: ConsoleQueries,
): { runs: RunSource; models: ModelSource; stop(): void } {
  const { publisherUrl: url, publisherToken: token } = config;
  if (url === undefined) {
    return {
      runs: runsInProcess(queries.runQueries, announcements),
      models: modelsInProcess(queries.eventModel),
      stop: () => undefined,
    };
  }
  const remote = runsOverHttp({ url, token, clock, announcements, log });
  const remoteModels = modelsOverHttp({ url, token }, clock, announcements);
  const stop = () => {
    remote.stop();
    remoteModels.stop();
  };
  return { runs: remote.runs, models: remoteModels.models, stop };
}

const importRetryMs = 1_000;

/**
 * Imports the plan directory at start; files that cannot be imported are logged and never stop the service. While the
 * store refuses, the import is tried again; returns a function that stops that.
 */
async function importPlanFiles(
  { clock, log: logger }: ServiceDeps,
  ctx: CoordinationContext,
  files: PlanFiles,
): Promise<() => void> {
  const importNow = async () => {
    const imported = await rescanPlans(ctx, files, 'service');
    if (isRefusal(imported)) return imported;
    for (const { file, errors } of imported.failed) logger.warn({ file, errors }, 'cannot import a plan file');
    return null;
  };
  const refusal = await importNow();
  if (!refusal) return () => undefined;
  logger.warn({ why: refusal.detail }, 'cannot import the plan files yet; it will be retried');
  const stop = clock.every(importRetryMs, async () => {
    if ((await importNow()) !== null) return;
    stop();
    logger.info({ path: files.path }, 'the plan files are imported');
  });
  return stop;
}
