import type { EventModelQueries } from '../../../event-model/src/queries.ts';
import type { RunQueries } from '../console/runs/run-queries.ts';
import type { Announcements } from '../kernel/announcements.ts';
import type { ComposedConsole } from './console.ts';

/** The queries that coordination may send to the console of this process. */
export type ConsoleQueries = {
  runQueries: RunQueries;
  eventModel: EventModelQueries;
  verdicts: ComposedConsole['verdicts'];
  /** Changes on that console. */
  announcements: Announcements;
};
