import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { connection } from '../../live/connection.ts';
import { useRuns } from '../../live/queries.ts';
import { subscribeToRun } from '../../live/query-client.ts';
import { queryKeys } from '../../live/query-keys.ts';
import { throttled } from '../../live/refresh.ts';
import { apiPath, request } from '../../live/request.ts';
import type { RunDetail } from '../../live/wire.ts';
import { LiveRun, parseNdjson } from './live-run.ts';

/** A large run takes longer to render, so it is rendered less often and the page stays responsive. */
const redrawPauseMs = (scenarios: number): number => Math.min(1000, scenarios / 50);

/**
 * A run in detail: read once, then followed event by event. A run without events here is read again when it changes.
 * Without a hub it is polled instead.
 */
export function useRun(runId: string): UseQueryResult<RunDetail> {
  const isFollowing = useStore(connection, ({ polls }) => !polls);
  const read = useQuery({
    queryKey: [...queryKeys.run(runId), 'detail'],
    queryFn: () => request<RunDetail>('GET', apiPath`/api/runs/${runId}`),
    refetchInterval: ({ state }) => (!isFollowing && state.data?.run.state === 'running' ? 2_000 : false),
  });
  const isLive = isFollowing && read.data?.run.state === 'running';
  const [followed, setFollowed] = useState<RunDetail | null>(null);
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
        if (!ended) setFollowed(live.detail());
      }, redrawPauseMs(live.size));
    };
    const hydrate = throttled(async () => {
      if (ended) return;
      waiting ??= [];
      live.apply(
        parseNdjson(await request<string>('GET', apiPath`/api/runs/${runId}/export`, { query: { format: 'ndjson' } })),
      );
      live.apply(waiting ?? []);
      waiting = null;
      show();
    });
    const stop = subscribeToRun(runId, (events) => {
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

  if (!isLive || !followed || followed.run.runId !== runId) return read;
  // When the run has ended or lost its publisher, the service's summary is used until the detail is read again.
  const run = summary && summary.state !== 'running' ? summary : followed.run;
  return { ...read, data: { ...followed, run } } as UseQueryResult<RunDetail>;
}
