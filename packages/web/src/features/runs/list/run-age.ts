import type { RunSummary } from '../../../live/wire.ts';

/** The instant that the age of a run is counted from, the same wherever it is listed: its end, or its start while it is live. */
export const runAgeAt = ({
  state,
  startedAt,
  finishedAt,
  lastEventAt,
}: Pick<RunSummary, 'state' | 'startedAt' | 'finishedAt' | 'lastEventAt'>): string | null =>
  state === 'running' ? startedAt : (finishedAt ?? lastEventAt);
