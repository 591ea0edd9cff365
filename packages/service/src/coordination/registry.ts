import type { AnyCommand } from '../kernel/command.ts';
import type { CoordinationContext } from './context.ts';
import { planCommands } from './plans/commands.ts';

/** Every command of port 5526, in the order in which they are shown. */
export const coordinationCommands: readonly AnyCommand<CoordinationContext>[] = [...planCommands];
