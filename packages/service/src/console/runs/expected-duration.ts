import { suiteKey } from './retention.ts';
import type { RunHeadline } from './run-views.ts';

/** How many finished runs of a suite the expected duration is computed from. */
const runsConsidered = 10;

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? upper) + upper) / 2);
}

function durationOf({ start, finish }: RunHeadline): number | null {
  if (!start.startedAt || !finish?.finishedAt) return null;
  return Math.max(0, Date.parse(finish.finishedAt) - Date.parse(start.startedAt));
}

/** Median duration of the newest finished runs by repository and suite; `heads` are sorted newest first. */
export function expectedRunDurations(headlines: Iterable<RunHeadline>): (headline: RunHeadline) => number | null {
  const durations = new Map<string, number[]>();
  for (const headline of headlines) {
    const duration = durationOf(headline);
    if (duration === null) continue;
    const key = suiteKey(headline);
    const list = durations.get(key) ?? [];
    if (list.length < runsConsidered) list.push(duration);
    durations.set(key, list);
  }
  const medians = new Map([...durations].map(([key, list]) => [key, median(list)]));
  return (headline) => medians.get(suiteKey(headline)) ?? null;
}
