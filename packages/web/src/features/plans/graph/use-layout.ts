import { useEffect, useMemo, useRef, useState } from 'react';
import { incrementalLayout } from './incremental-layout.ts';
import { type CardPosition, type Graph, layeredLayout } from './layout.ts';

const immediateLimit = 150;
type Places = ReadonlyMap<string, CardPosition>;

/**
 * Positions for a graph: incremental when it is similar to the last one, computed at once when it is small, and from a
 * worker otherwise, so that the page never blocks.
 */
export function useLayout(graph: Graph): Places | null {
  const [fromWorker, setFromWorker] = useState<{ graph: Graph; places: Places } | null>(null);
  const last = useRef<Places>(null);
  const immediate = useMemo(
    () =>
      (last.current && incrementalLayout(graph, last.current)) ??
      (graph.ids.length <= immediateLimit ? layeredLayout(graph) : null),
    [graph],
  );
  const places = immediate ?? (fromWorker?.graph === graph ? fromWorker.places : null);
  useEffect(() => {
    if (places) last.current = places;
  }, [places]);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    if (immediate) return;
    worker.current ??= new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = (event: MessageEvent<{ places: Places }>) =>
      setFromWorker({ graph, places: event.data.places });
    worker.current.postMessage({ graph });
  }, [graph, immediate]);
  return places;
}
