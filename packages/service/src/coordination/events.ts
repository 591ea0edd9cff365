import type { EventSchemas } from '../kernel/event-log.ts';
import type { StreamKind } from '../kernel/streams.ts';
import { tokenEvents } from './access/events.ts';
import { claimEvents } from './claims/events.ts';
import { evidenceEvents } from './evidence/events.ts';
import { graphEvents, planEvents } from './plans/events.ts';
import { repositoryEvents } from './repositories/events.ts';
import { linkEvents } from './work/events.ts';

/** Every event of the log, by the kind of its stream. */
export const storedEvents = {
  plan: planEvents,
  graph: graphEvents,
  claim: claimEvents,
  evidence: evidenceEvents,
  link: linkEvents,
  repository: repositoryEvents,
  token: tokenEvents,
} satisfies Record<StreamKind, EventSchemas>;
