import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { ask, at } from './ask.ts';
import { hearRun } from './client.ts';
import { connection } from './connection.ts';
import { keys } from './keys.ts';
import { LiveRun, linesOf } from './live-run.ts';
import { useRuns } from './queries.ts';
import { rested } from './refresh.ts';
import type { RunDetail } from './wire.ts';

/** A long run takes a while to be drawn: it is drawn less often, so that the page stays at hand. */
const restFor = (scenarios: number): number => Math.min(1000, scenarios / 50);

/**
 * A run in detail: read once, then followed event by event; where only its changes are told, all of it is read again.
 * The console alone is asked again and again instead.
 */
export function useRun(runId: string): UseQueryResult<RunDetail> {
  const followed = useStore(connection, ({ polls }) => !polls);
  const read = useQuery({
    queryKey: [...keys.run(runId), 'detail'],
    queryFn: () => ask<RunDetail>('GET', at`/api/runs/${runId}`),
    refetchInterval: ({ state }) => (!followed && state.data?.run.state === 'running' ? 2_000 : false),
  });
  const isLive = followed && read.data?.run.state === 'running';
  const [now, setNow] = useState<RunDetail | null>(null);
  const summary = useRuns().data?.find((run) => run.runId === runId);
  const first = read.data;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `first` starts the fold; what follows comes as events
  useEffect(() => {
    if (!isLive || !first) return;
    let ended = false;
    let waiting: unknown[] | null = [];
    const live = new LiveRun(first);
    let due: number | undefined;
    const show = () => {
      due ??= window.setTimeout(() => {
        due = undefined;
        if (!ended) setNow(live.detail());
      }, restFor(live.size));
    };
    const hydrate = rested(async () => {
      if (ended) return;
      waiting ??= [];
      live.apply(linesOf(await ask<string>('GET', at`/api/runs/${runId}/export`, { query: { format: 'ndjson' } })));
      live.apply(waiting ?? []);
      waiting = null;
      show();
    });
    const stop = hearRun(runId, (events) => {
      if (events === 'again') hydrate();
      else if (waiting) waiting.push(...events);
      else {
        live.apply(events);
        show();
      }
    });
    hydrate();
    return () => {
      ended = true;
      clearTimeout(due);
      stop();
    };
  }, [runId, isLive, first === undefined]);

  if (!isLive || !now || now.run.runId !== runId) return read;
  // Once it ended or lost its publisher, the service's word on that counts, until it is read again.
  const run = summary && summary.state !== 'running' ? summary : now.run;
  return { ...read, data: { ...now, run } } as UseQueryResult<RunDetail>;
}
