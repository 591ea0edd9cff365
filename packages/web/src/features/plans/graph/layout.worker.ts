import { type Graph, layered } from './layout.ts';

addEventListener('message', (event: MessageEvent<{ ask: number; graph: Graph }>) => {
  postMessage({ ask: event.data.ask, places: layered(event.data.graph) });
});
