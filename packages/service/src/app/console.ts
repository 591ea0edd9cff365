import { type OpenedEventModel, openEventModel } from '../../../event-model/src/io/open-event-model.ts';
import type { EventModelQueries } from '../../../event-model/src/queries.ts';
import type { ConsoleContext } from '../console/context.ts';
import { consoleCommands } from '../console/registry.ts';
import { ingestAnswer } from '../console/runs/contract.ts';
import type { MonitorEvent } from '../console/runs/events.ts';
import { lastVerdictsIn } from '../console/runs/fold-scenarios.ts';
import type { IngestDeps } from '../console/runs/ingest.ts';
import { exportPageIn } from '../console/runs/io/export-page.ts';
import { openRunStore, openRuns } from '../console/runs/io/open-runs.ts';
import { RunQueries } from '../console/runs/run-queries.ts';
import { type BoardRun, receivedAtOf } from '../console/runs/run-registry.ts';
import { addIngest, ingestShortcut } from '../edge/ingest-route.ts';
import { addRunToken } from '../edge/run-token-route.ts';
import { yieldIfBusy } from '../event-loop/cooperative.ts';
import { iso } from '../kernel/clock.ts';
import type { DispatchContext } from '../kernel/dispatch.ts';
import type { Access } from './access.ts';
import { consoleMeasures } from './console-measures.ts';
import { consoleReference } from './console-reference.ts';
import type { Port, ServiceDeps } from './port.ts';
import { ProofsOfProcess } from './proofs-of-process.ts';
import { traceRuns } from './trace-runs.ts';
import { version } from './version.ts';
import { webFolder } from './web-folder.ts';

export type ComposedConsole = {
  port: Port<ConsoleContext & DispatchContext>;
  runs: RunQueries;
  eventModel: EventModelQueries;
  verdicts: Pick<OpenedEventModel, 'verdicts' | 'joinWith'>;
  stop(): Promise<void>;
};

/** Port 5525: runs and the event model. Its only link to coordination is `proofs`. */
export async function composeConsole(
  { config, arrivals: { clock }, log, announcements, access, conditions, telemetry }: ServiceDeps,
  proofs: ProofsOfProcess = new ProofsOfProcess(null),
): Promise<ComposedConsole> {
  const { dataPath, hostName: host } = config;
  const warn = (details: object, text: string) => log.warn(details, text);
  const info = (details: object, text: string) => log.info(details, text);
  const say = (line: string) => log.warn(line);
  const store = await openRunStore({ dataPath, clock, warn, info });
  const model = await openEventModel({ dataPath, store: store.verdicts, clock, announcements, say });
  const observe = (boardRun: BoardRun, events: readonly MonitorEvent[]) =>
    model.observe(boardRun.runId, events, receivedAtOf(boardRun));
  const opened = openRuns({
    store,
    clock,
    host,
    policies: config,
    announcements,
    warn,
    info,
    onRead: (boardRun, run) => observe(boardRun, [...lastVerdictsIn(run)]),
    onSender: auditIngest(access),
    settleProofs: () => proofs.settle(),
  });
  opened.writer.onFolded(observe);
  if (telemetry?.traces) traceRuns(telemetry.traces, opened);
  const runs = new RunQueries(opened, version, exportPageIn(webFolder));
  const measured = consoleMeasures(runs);
  const ingest = measured.counted(opened.ingest, (writable) => conditions.runsWritten(writable));
  const freshness = () => ({ host, asOf: iso(clock.wall()), staleSince: null, ageSeconds: 0 });
  return {
    port: {
      ...consoleReference,
      name: 'console',
      commands: consoleCommands,
      ctx: { version, runs, eventModel: model.queries, yieldIfBusy, proofs: () => proofs.now, freshness },
      web: webFolder,
      measures: measured.measures,
      extend: (app, policy) => [addIngest(app, ingest, ingestAnswer), addRunToken(app, policy)],
      shortcut: (...args) => ingestShortcut(ingest, ...args),
    },
    runs,
    eventModel: model.queries,
    verdicts: model,
    stop: () => opened.stop(),
  };
}

/** Audits the start of each run and rejected additions by other senders. */
const auditIngest =
  ({ audit }: Access): NonNullable<IngestDeps['onSender']> =>
  (ref, { publisher, trust, address }, outcome) =>
    audit.record({ name: publisher ?? nameOfTrust[trust], address, door: 'ingest', command: 'ingest', ref, outcome });

const nameOfTrust = { named: 'named', local: 'local', open: 'anonymous' } as const;
