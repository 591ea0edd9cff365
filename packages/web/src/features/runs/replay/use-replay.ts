import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { ask, at as path } from '../../../live/ask.ts';
import { keys } from '../../../live/keys.ts';
import { linesOf } from '../../../live/live-run.ts';
import type { RunDetail } from '../../../live/wire.ts';
import { useParam } from '../../../ui/search-params.ts';
import { Replay } from './replay.ts';

/** Browsers refuse to have the address changed many times a second, so it follows once the hand rests. */
const restMs = 250;

/** Where in its life the run is looked at, in milliseconds since its start; null is as it is now. */
export function useMoment(): [number | null, (at: number | null) => void] {
  const [word, setWord] = useParam('at');
  const [at, setAt] = useState(() => (word === null ? null : Math.max(0, Number(word) || 0)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the moment, never the other way
  useEffect(() => {
    const next = at === null ? null : String(Math.round(at));
    if (next === word) return;
    const timer = setTimeout(() => setWord(next), restMs);
    return () => clearTimeout(timer);
  }, [at]);
  return [at, setAt];
}

/** The run as it was at that moment, once its archive is here. */
export function useReplay(detail: RunDetail, start: number, at: number | null) {
  const { runId } = detail.run;
  const archive = useQuery({
    queryKey: [...keys.run(runId), 'archive'],
    queryFn: () => ask<string>('GET', path`/api/runs/${runId}/export`, { query: { format: 'ndjson' } }),
    enabled: at !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = archive.data;
  const replay = useMemo(() => (text === undefined ? null : new Replay(linesOf(text), detail)), [text, detail]);
  const wanted = useDeferredValue(at);
  const shown = useMemo(() => (replay && wanted !== null ? replay.at(start + wanted) : null), [replay, wanted, start]);
  return { shown: at === null ? null : shown, error: at === null ? null : archive.error };
}
