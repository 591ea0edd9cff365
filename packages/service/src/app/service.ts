import { hostname } from 'node:os';
import type { RunDesk } from '../console/runs/desk.ts';
import type { CoordinationContext } from '../coordination/context.ts';
import { type Announcements, createAnnouncements } from '../kernel/announce.ts';
import { iso } from '../kernel/clock.ts';
import type { Licence } from '../kernel/licence.ts';
import { takeDataPath } from '../store/data-path.ts';
import { createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { composeConsole } from './console.ts';
import { composeCoordination } from './coordination.ts';
import { createLog } from './log.ts';
import { type Opened, openPort, type Surround, serve } from './port.ts';
import type { Options } from './standalone.ts';
import { steady } from './steady-clock.ts';
import { systemClock } from './system-clock.ts';
import { refuseOpenDoor, trustOf } from './trust.ts';

export type Running = {
  config: Config;
  /** With the context, so that whoever starts the service in process can call its handlers directly. */
  coordination: Opened & { ctx: CoordinationContext };
  console: Opened & { runs: RunDesk };
  licence: () => Licence;
  stop(): Promise<void>;
};

/** Where others reach a port that listens on every address: by the machine's name. */
const advertised = ({ url, addresses, port }: Opened): string =>
  addresses.some((address) => address === '0.0.0.0' || address === '::') ? `http://${hostname()}:${port}` : url;

/** What the hub tells of runs comes from where they are read: a console that nobody reads here tells nobody here. */
const announcementsOfConsole = ({ config, announcements }: Surround): Announcements =>
  config.publisherUrl === undefined ? announcements : createAnnouncements();

/** The whole service: one process, two ports. What was opened is closed again when a later step fails. */
export async function startService(config: Config, options: Options = {}): Promise<Running> {
  refuseOpenDoor(config);
  const log = options.log ?? createLog(process.stderr);
  const clock = steady(options.clock ?? systemClock, log);
  const surround: Surround = {
    config,
    clock,
    log,
    trust: trustOf(config),
    announcements: createAnnouncements(),
  };
  const closing = createClosing();
  const { stop } = closing;
  try {
    const held = takeDataPath(config.dataPath, iso(clock.wall()));
    closing.push(() => held.release());
    const announcements = announcementsOfConsole(surround);
    const consoleParts = await composeConsole({ ...surround, announcements });
    closing.push(consoleParts.stop);
    const parts = await composeCoordination(surround, { ...consoleParts, desk: consoleParts.runs, announcements });
    closing.push(parts.stop);
    const consoleApp = openPort(consoleParts.port, surround);
    const coordinationApp = openPort(parts.port, surround);
    const opened: Opened[] = [];
    // Both at once: neither takes anything more, and what hangs on both is waited for once.
    closing.push(async () => void (await Promise.all(opened.map((port) => port.stop()))));
    const console = await serve(consoleApp, 'run console', 'CONSOLE_PORT', config.consolePort, surround);
    opened.push(console);
    const coordination = await serve(coordinationApp, 'coordination', 'PORT', config.port, surround, parts.port.live);
    opened.push(coordination);
    parts.reachedAt(advertised(coordination));
    const { runs } = consoleParts;
    return {
      config,
      coordination: { ...coordination, ctx: parts.port.ctx },
      console: { ...console, runs },
      licence: parts.licence,
      stop,
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
