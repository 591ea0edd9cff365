import { SenderQuota } from '../edge/sender-quota.ts';
import { createAnnouncements } from '../kernel/announcements.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import type { Story } from '../kernel/story.ts';
import type { Telemetry } from '../telemetry/io/open-telemetry.ts';
import { openAccess } from './access.ts';
import { createArrivalClock } from './arrival-clock.ts';
import { cliCommand } from './cli-command.ts';
import { ConditionWatch } from './condition-watch.ts';
import type { Config } from './config.ts';
import { lockWholeDataPath } from './exchange-files.ts';
import { createLog, type Logger } from './log.ts';
import type { ServiceDeps } from './port.ts';
import { backUpBeforeUpgrade, refuseForeignFiles, refuseMovedStore } from './prepare-data-path.ts';
import { steadyClock, systemClock } from './system-clock.ts';
import { refuseMissingToken, trustOf } from './trust.ts';
import { version } from './version.ts';

export type StartOptions = {
  clock?: Clock;
  log?: Logger;
  /** Set only in a demo; the page shows its story in a bar. */
  story?: Story;
};

/** Everything that the ports of the process share, opened for `start`. If a later step fails, everything already opened is closed. */
export async function withShared<Running>(
  config: Config,
  options: StartOptions,
  start: (deps: ServiceDeps, closing: Closing) => Promise<Running>,
): Promise<Running & { stop(): Promise<void> }> {
  refuseMissingToken(config);
  refuseForeignFiles(config.dataPath);
  refuseMovedStore(config);
  const log = options.log ?? createLog(process.stderr);
  const clock = steadyClock(options.clock ?? systemClock, log);
  const shared = {
    config,
    clock,
    log,
    trust: trustOf(config),
    quota: new SenderQuota(),
    installation: { cli: cliCommand(), consoleUrl: null, serviceUrl: null },
    announcements: createAnnouncements(),
    arrivals: createArrivalClock(clock),
  };
  const closing = createClosing();
  const { stop } = closing;
  try {
    const completed = () => log.warn('a restore that was interrupted was completed');
    const lock = await lockWholeDataPath(config.dataPath, iso(clock.wall()), completed);
    closing.push(() => lock.release());
    await backUpBeforeUpgrade(config, log, iso(clock.wall()));
    const conditions = new ConditionWatch(config, clock, log);
    closing.push(conditions.start(clock));
    const access = await openAccess(shared);
    closing.push(access.stop);
    if (access.signIns) conditions.providerOpened(access.signIns.people);
    const telemetry = await telemetryOf(shared, conditions);
    if (telemetry) closing.push(telemetry.stop);
    const running = await start({ ...shared, access, conditions, telemetry, describe: lock.describe }, closing);
    conditions.look();
    return { ...running, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** Loaded only where traces or metrics are sent. */
async function telemetryOf(
  { config: { otel: settings, hostName }, clock, log }: Pick<ServiceDeps, 'config' | 'clock' | 'log'>,
  conditions: ConditionWatch,
): Promise<Telemetry | null> {
  if (settings === null) return null;
  const { openTelemetry } = await import('../telemetry/io/open-telemetry.ts');
  log.info({ traces: settings.traces?.url, metrics: settings.metrics?.url }, 'OpenTelemetry data is sent');
  return openTelemetry({
    ...{ settings, clock, hostName, version },
    warn: (details, text) => log.warn(details, text),
    onTried: (signal, isTaken) => conditions.notified(signal, isTaken),
  });
}

type Close = () => void | Promise<void>;

/** Closes what was opened, once, in reverse order. */
type Closing = { push(close: Close): void; stop(): Promise<void> };

function createClosing(): Closing {
  const opened: Close[] = [];
  return {
    push: (close) => void opened.push(close),
    async stop() {
      for (const close of opened.splice(0).reverse()) await close();
    },
  };
}
