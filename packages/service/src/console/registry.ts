import type { AnyCommand } from '../kernel/command.ts';
import type { ConsoleContext } from './context.ts';
import { commands as eventModel } from './event-model/commands.ts';
import { commands as runs } from './runs/commands.ts';

/** Every command of port 5525. */
export const consoleCommands: readonly AnyCommand<ConsoleContext>[] = [...runs, ...eventModel];
