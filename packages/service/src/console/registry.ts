import { commands as eventModel } from '../../../event-model/src/registry.ts';
import type { AnyCommand } from '../kernel/command.ts';
import type { ConsoleContext } from './context.ts';
import { commands as runs } from './runs/commands.ts';

/** Every command of port 5525 with its own name, input and output. */
export const consoleTable = [...runs, ...eventModel] as const;

/** All commands without the type of each, for code that handles them in the same way. */
export const consoleCommands: readonly AnyCommand<ConsoleContext>[] = consoleTable;
