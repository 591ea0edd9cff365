import type { Config } from './config.ts';
import { composeConsole } from './console.ts';
import { type StartOptions, withShared } from './open-shared.ts';
import { type ListeningPort, openPort, serve } from './port.ts';

export type RunningConsole = { config: Config; console: ListeningPort; stop(): Promise<void> };

/** The standalone run console, for a separate machine: one port, no MCP, nothing licensed. */
export const startConsole = (config: Config, options: StartOptions = {}): Promise<RunningConsole> =>
  withShared(config, options, async (deps, closing) => {
    const composed = await composeConsole(deps);
    closing.push(composed.stop);
    closing.push(async () => deps.telemetry?.stop());
    const console = await serve(openPort(composed.port, deps), 'run console', 'CONSOLE_PORT', config.consolePort, deps);
    closing.push(console.stop);
    deps.installation.consoleUrl = console.url;
    return { config, console };
  });
