import type { RunSummary } from '../../../live/wire.ts';

/** The instant from which the age of a run is counted in every list: its end, or its start while it is live. */
export const runAgeAt = ({
  state,
  startedAt,
  finishedAt,
  lastEventAt,
}: Pick<RunSummary, 'state' | 'startedAt' | 'finishedAt' | 'lastEventAt'>): string | null =>
  state === 'running' ? startedAt : (finishedAt ?? lastEventAt);
