import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { RunDetail } from '../../../live/wire.ts';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { parseNdjson } from '../live-run.ts';
import { archiveQuery } from '../run-queries.ts';
import { RunReplay } from './run-replay.ts';

/** Browsers limit how often the address may change, so it is updated when dragging pauses. */
const restMs = 250;

/** The replayed instant in milliseconds since the start of the run; null shows the run as it is now. */
export function useReplayTime(): [number | null, (at: number | null) => void] {
  const [word, setWord] = useSearchParam('at');
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

/** The run at that moment, once its archive is loaded. */
export function useRunReplay(detail: RunDetail, start: number, at: number | null) {
  const { runId } = detail.run;
  const archive = useQuery({ ...archiveQuery(runId), enabled: at !== null });
  const text = archive.data;
  const replay = useMemo(() => (text === undefined ? null : new RunReplay(parseNdjson(text), detail)), [text, detail]);
  const wanted = useDeferredValue(at);
  const shown = useMemo(() => (replay && wanted !== null ? replay.at(start + wanted) : null), [replay, wanted, start]);
  return { shown: at === null ? null : shown, error: at === null ? null : archive.error };
}
