import type { EventModelContext } from '../../../event-model/src/registry.ts';
import type { RunsContext } from './runs/commands.ts';

/** The ports that the console's commands get. */
export type ConsoleContext = RunsContext & EventModelContext;
