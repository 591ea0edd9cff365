import type { Announcements } from '../kernel/announce.ts';
import type { PlansContext } from './plans/commands.ts';

/** Everything that the commands of port 5526 may ask for. */
export type CoordinationContext = PlansContext & { announcements: Announcements };
