import type { ConsoleContext } from '../console/context.ts';
import { consoleCommands } from '../console/registry.ts';
import type { DispatchContext } from '../kernel/dispatch.ts';
import type { Port, Surround } from './port.ts';
import { version } from './version.ts';
import { webFolder } from './web-folder.ts';

export type ConsoleParts = { port: Port<ConsoleContext & DispatchContext>; stop(): Promise<void> };

/** Port 5525: runs and the event model. Knows nothing of coordination. */
export async function composeConsole(_: Surround): Promise<ConsoleParts> {
  return {
    port: { title: 'Signalbox run console', commands: consoleCommands, ctx: { version }, web: webFolder },
    stop: async () => undefined,
  };
}
