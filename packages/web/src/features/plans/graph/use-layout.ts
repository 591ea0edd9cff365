import { useEffect, useMemo, useRef, useState } from 'react';
import { grown } from './grow.ts';
import { type Graph, layered, type Place } from './layout.ts';

const small = 150;
type Places = ReadonlyMap<string, Place>;

/**
 * Places for a graph: grown from what is drawn where that is possible, at once where it is small, and from a worker
 * where it is neither, so that the page never stands still.
 */
export function useLayout(graph: Graph): Places | null {
  const [far, setFar] = useState<{ graph: Graph; places: Places } | null>(null);
  const last = useRef<Places>(null);
  const near = useMemo(
    () => (last.current && grown(graph, last.current)) ?? (graph.ids.length <= small ? layered(graph) : null),
    [graph],
  );
  const places = near ?? (far?.graph === graph ? far.places : null);
  useEffect(() => {
    if (places) last.current = places;
  }, [places]);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    if (near) return;
    worker.current ??= new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = (event: MessageEvent<{ places: Places }>) =>
      setFar({ graph, places: event.data.places });
    worker.current.postMessage({ graph });
  }, [graph, near]);
  return places;
}
