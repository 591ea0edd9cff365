import { type Graph, layeredLayout } from './layout.ts';

addEventListener('message', (event: MessageEvent<{ graph: Graph }>) => {
  postMessage({ places: layeredLayout(event.data.graph) });
});
