import { SenderQuota } from '../edge/sender-quota.ts';
import { createAnnouncements } from '../kernel/announcements.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import type { Story } from '../kernel/story.ts';
import { lockDataPath } from '../store/data-path.ts';
import { openAccess } from './access.ts';
import { cliCommand } from './cli-command.ts';
import { createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { composeConsole } from './console.ts';
import type { Logger } from './log.ts';
import { createLog } from './log.ts';
import { type ListeningPort, openPort, type ServiceDeps, serve } from './port.ts';
import { steadyClock } from './steady-clock.ts';
import { systemClock } from './system-clock.ts';
import { refuseMissingToken, trustOf } from './trust.ts';

export type StartOptions = {
  clock?: Clock;
  log?: Logger;
  /** Of a demonstration: the page shows it in a bar. */
  story?: Story;
};
export type RunningConsole = { config: Config; console: ListeningPort; stop(): Promise<void> };

/** The run console alone, for a machine of its own: one port, no MCP, no copy of a licensed surface. */
export async function startConsole(config: Config, options: StartOptions = {}): Promise<RunningConsole> {
  refuseMissingToken(config);
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
  };
  const closing = createClosing();
  const { stop } = closing;
  try {
    const lock = lockDataPath(config.dataPath, iso(clock.wall()));
    closing.push(() => lock.release());
    const access = openAccess(shared);
    closing.push(access.stop);
    const deps: ServiceDeps = { ...shared, access };
    const composed = await composeConsole(deps);
    closing.push(composed.stop);
    const console = await serve(openPort(composed.port, deps), 'run console', 'PORT', config.consolePort, deps);
    closing.push(console.stop);
    deps.installation.consoleUrl = console.url;
    return { config, console, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
