import { type Graph, layered } from './layout.ts';

addEventListener('message', (event: MessageEvent<{ graph: Graph }>) => {
  postMessage({ places: layered(event.data.graph) });
});
