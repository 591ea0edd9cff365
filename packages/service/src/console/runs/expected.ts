import { boardKey } from './retention.ts';
import type { Head } from './views.ts';

/** How many finished runs of a suite tell how long the next one will take. */
const remembered = 10;

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] as number) + upper) / 2);
}

export function durationOf({ start, finish }: Head): number | null {
  if (!start.startedAt || !finish?.finishedAt) return null;
  return Math.max(0, Date.parse(finish.finishedAt) - Date.parse(start.startedAt));
}

/** Median duration of the newest finished runs by repository and suite; `heads` come newest first. */
export function expectedRuns(heads: Iterable<Head>): (head: Head) => number | null {
  const durations = new Map<string, number[]>();
  for (const head of heads) {
    const duration = durationOf(head);
    if (duration === null) continue;
    const key = boardKey(head);
    const list = durations.get(key) ?? [];
    if (list.length < remembered) list.push(duration);
    durations.set(key, list);
  }
  const medians = new Map([...durations].map(([key, list]) => [key, median(list)]));
  return (head) => medians.get(boardKey(head)) ?? null;
}
