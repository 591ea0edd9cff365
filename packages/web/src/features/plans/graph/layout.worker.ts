import { type Graph, layeredLayout } from './layout.ts';

addEventListener('message', (event: MessageEvent<{ graph: Graph }>) => {
  postMessage({ positions: layeredLayout(event.data.graph) });
});
