import { useEffect, useMemo, useRef, useState } from 'react';
import { type Graph, layered, type Place } from './layout.ts';

const small = 150;

/** Places for a graph: at once where it is small, from a worker where it is not, so that the page never stands still. */
export function useLayout(graph: Graph): ReadonlyMap<string, Place> | null {
  // Only the shape of the graph counts; a new status draws nothing anew.
  const key = useMemo(() => `${graph.ids.join(' ')}|${graph.edges.map((edge) => edge.join('>')).join(' ')}`, [graph]);
  const [far, setFar] = useState<{ key: string; places: ReadonlyMap<string, Place> } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the graph
  const near = useMemo(() => (graph.ids.length <= small ? layered(graph) : null), [key]);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the graph
  useEffect(() => {
    if (near) return;
    worker.current ??= new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = (event: MessageEvent<{ places: ReadonlyMap<string, Place> }>) =>
      setFar({ key, places: event.data.places });
    worker.current.postMessage({ ask: 0, graph });
  }, [key, near]);
  return near ?? far?.places ?? null;
}
