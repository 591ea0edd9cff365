import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { connection } from '../../live/connection.ts';
import { throttled } from '../../live/refresh.ts';
import type { RunDetail } from '../../live/wire.ts';
import { subscribeToRun } from '../follow-service.ts';
import type { ShownQuery } from '../shared/query-result.tsx';
import { RunReader } from './live-run.ts';
import { readArchive, runQuery, useRuns } from './run-queries.ts';

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * A run in detail: read once, then followed event by event. A run without events here is read again when it changes.
 * Without a hub it is polled instead.
 */
export function useRun(runId: string): ShownQuery<RunDetail> {
  const isFollowing = useStore(connection, ({ polls }) => !polls);
  const read = useQuery({
    ...runQuery(runId),
    refetchInterval: ({ state }) => (!isFollowing && state.data?.run.state === 'running' ? 2_000 : false),
  });
  const isLive = isFollowing && read.data?.run.state === 'running';
  const [followed, setFollowed] = useState<RunDetail | null>(null);
  const summary = useRuns().data?.find((run) => run.runId === runId);
  const first = read.data;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `first` starts the fold; what follows comes as events
  useEffect(() => {
    if (!isLive || !first) return;
    const reader = new RunReader(first, {
      readArchive: () => readArchive(runId),
      subscribe: (listener) => subscribeToRun(runId, listener),
      throttle: throttled,
      later,
      onDetail: setFollowed,
      now: () => new Date(Date.now() + connection.getState().clockOffsetMs).toISOString(),
    });
    reader.start();
    return () => reader.stop();
  }, [runId, isLive, first === undefined]);

  if (!isLive || !followed || followed.run.runId !== runId) return read;
  // When the run has ended or lost its publisher, the service's summary is used until the detail is read again.
  const run = summary && summary.state !== 'running' ? summary : followed.run;
  return { ...read, data: { ...followed, run } };
}
