import type { Announcements } from '../kernel/announce.ts';
import type { WorkContext } from './work/context.ts';

/** Everything that the commands of port 5526 may ask for. */
export type CoordinationContext = WorkContext & { announcements: Announcements };
