import { useEffect, useMemo, useRef, useState } from 'react';
import { incrementalLayout } from './incremental-layout.ts';
import { type CardPosition, type Graph, layeredLayout } from './layout.ts';
import { wrapLongChain } from './wrap-layout.ts';

const immediateLimit = 150;
type CardPositions = ReadonlyMap<string, CardPosition>;

/**
 * Positions for a graph: incremental when it is similar to the last one, computed at once when it is small, and from a
 * worker otherwise, so that the page never blocks.
 */
export function useLayout(graph: Graph): CardPositions | null {
  const [fromWorker, setFromWorker] = useState<{ graph: Graph; positions: CardPositions } | null>(null);
  const last = useRef<CardPositions>(null);
  const immediate = useMemo(
    () =>
      (last.current && incrementalLayout(graph, last.current)) ??
      (graph.ids.length <= immediateLimit ? layeredLayout(graph) : null),
    [graph],
  );
  const laidOut = immediate ?? (fromWorker?.graph === graph ? fromWorker.positions : null);
  useEffect(() => {
    if (laidOut) last.current = laidOut;
  }, [laidOut]);
  // Only the drawn positions are wrapped: later changes are laid out from the unwrapped ones.
  const positions = useMemo(() => laidOut && wrapLongChain(laidOut), [laidOut]);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    if (immediate) return;
    worker.current ??= new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = (event: MessageEvent<{ positions: CardPositions }>) =>
      setFromWorker({ graph, positions: event.data.positions });
    worker.current.postMessage({ graph });
  }, [graph, immediate]);
  return positions;
}
