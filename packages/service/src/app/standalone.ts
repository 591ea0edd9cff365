import { createAnnouncements } from '../kernel/announce.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import { takeDataPath } from '../store/data-path.ts';
import { createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { composeConsole } from './console.ts';
import type { Logger } from './log.ts';
import { createLog } from './log.ts';
import { type Opened, openPort, type Surround, serve } from './port.ts';
import { steady } from './steady-clock.ts';
import { systemClock } from './system-clock.ts';
import { refuseOpenDoor, trustOf } from './trust.ts';

export type Options = { clock?: Clock; log?: Logger };
export type RunningConsole = { config: Config; console: Opened; stop(): Promise<void> };

/** The run console alone, for a machine of its own: one port, no MCP, no copy of a licensed surface. */
export async function startConsole(config: Config, options: Options = {}): Promise<RunningConsole> {
  refuseOpenDoor(config);
  const log = options.log ?? createLog(process.stderr);
  const clock = steady(options.clock ?? systemClock, log);
  const surround: Surround = { config, clock, log, trust: trustOf(config), announcements: createAnnouncements() };
  const closing = createClosing();
  const { stop } = closing;
  try {
    const held = takeDataPath(config.dataPath, iso(clock.wall()));
    closing.push(() => held.release());
    const parts = await composeConsole(surround);
    closing.push(parts.stop);
    const console = await serve(openPort(parts.port, surround), 'run console', 'PORT', config.consolePort, surround);
    closing.push(console.stop);
    return { config, console, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
