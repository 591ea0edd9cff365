import { hostname } from 'node:os';
import type { RunQueries } from '../console/runs/run-queries.ts';
import type { CoordinationContext } from '../coordination/coordination-context.ts';
import { addStory } from '../edge/story-route.ts';
import { type Announcements, createAnnouncements } from '../kernel/announcements.ts';
import type { Licence } from '../kernel/dispatch.ts';
import type { Story } from '../kernel/story.ts';
import type { Config } from './config.ts';
import { composeConsole } from './console.ts';
import { composeCoordination } from './coordination.ts';
import { type StartOptions, withShared } from './open-shared.ts';
import { openOwnBackups } from './own-backups.ts';
import { type ListeningPort, openPort, type Port, type ServiceDeps, serve } from './port.ts';
import { ProofsOfProcess } from './proofs-of-process.ts';
import { version } from './version.ts';

export type RunningService = {
  config: Config;
  /** Includes the context, so that an in-process caller can call the handlers directly. */
  coordination: ListeningPort & { ctx: CoordinationContext };
  console: ListeningPort & { runs: RunQueries };
  /** The messages for the hub. */
  announcements: Announcements;
  licence: () => Licence;
  stop(): Promise<void>;
};

/** The address for others when a port listens on every address: the machine's host name. */
const advertised = ({ url, addresses, port }: ListeningPort): string =>
  addresses.some((address) => address === '0.0.0.0' || address === '::')
    ? `${new URL(url).protocol}//${hostname()}:${port}`
    : url;

/** The hub's run messages come from the console that coordination reads; another local console sends none. */
const announcementsOfConsole = ({ config, announcements }: ServiceDeps): Announcements =>
  config.publisherUrl === undefined ? announcements : createAnnouncements();

/** The whole service: one process, two ports. */
export const startService = (config: Config, options: StartOptions = {}): Promise<RunningService> =>
  withShared(config, options, async (deps, closing) => {
    const announcements = announcementsOfConsole(deps);
    // Runs of a console that coordination does not read prove nothing here.
    const proofs = new ProofsOfProcess(config.publisherUrl === undefined ? undefined : null);
    const composedConsole = await composeConsole({ ...deps, announcements }, proofs);
    closing.push(composedConsole.stop);
    closing.push(async () => proofs.attach(null));
    const composed = await composeCoordination(deps, {
      ...composedConsole,
      runQueries: composedConsole.runs,
      announcements,
    });
    if (config.publisherUrl === undefined) proofs.attach(composed.proofs);
    closing.push(composed.stop);
    // Stopped before the stores are closed, because traces are read from them when sent.
    closing.push(async () => deps.telemetry?.stop());
    const consoleApp = openPort(composedConsole.port, deps);
    const coordinationApp = openPort(withStory(composed.port, options.story), deps);
    const opened: ListeningPort[] = [];
    // Both at once: neither accepts new requests, and the grace period runs only once.
    closing.push(async () => void (await Promise.all(opened.map((port) => port.stop()))));
    const console = await serve(consoleApp, 'run console', 'CONSOLE_PORT', config.consolePort, deps);
    opened.push(console);
    if (config.publisherUrl === undefined) deps.installation.consoleUrl = console.url;
    const coordination = await serve(coordinationApp, 'coordination', 'PORT', config.port, deps, composed.port.live);
    opened.push(coordination);
    deps.installation.serviceUrl = coordination.url;
    composed.reachedAt(advertised(coordination));
    deps.describe({ version, urls: [coordination.url, console.url] });
    closing.push(openOwnBackups(deps).stop);
    const { runs } = composedConsole;
    return {
      config,
      coordination: { ...coordination, ctx: composed.port.ctx },
      console: { ...console, runs },
      announcements: deps.announcements,
      licence: composed.licence,
    };
  });

/** A port that also serves the story of a demo. */
const withStory = <Ctx>(port: Port<Ctx>, story: Story | undefined): Port<Ctx> =>
  story === undefined
    ? port
    : { ...port, extend: (app, policy) => [...(port.extend?.(app, policy) ?? []), ...addStory(app, story)] };
