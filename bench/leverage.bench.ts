import { WorkState } from '../packages/service/src/coordination/work/work-state.ts';
import { doneEvent, edgeEvent, eventsOf, graphOf, type Shape, seeded, shapes } from './shapes.ts';

// What one random edit costs before the next claim can be decided, and how long until the order is exact again, which
// happens between other work: at 100,000 nodes and 300,000 edges, on three shapes.
const size = Number(process.argv[2] ?? 100_000);
const edits = Number(process.argv[3] ?? 1000);

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

function measure(shape: Shape): void {
  const random = seeded(7);
  const graph = graphOf(shape, size, random);
  const workState = new WorkState();
  let started = performance.now();
  for (const event of eventsOf(shape, graph)) workState.apply(event);
  const folded = performance.now() - started;
  started = performance.now();
  workState.progress.settleOrder(Number.POSITIVE_INFINITY);
  const ready = workState.progress.readyOrder().length;
  const first = performance.now() - started;

  const [waits, times]: [number[], number[]] = [[], []];
  let sequence = 1_000_000;
  for (let edit = 0; edit < edits; edit += 1) {
    sequence += 1;
    const node = 1 + Math.floor(random() * (size - 1));
    const dependencies = graph[node] ?? [];
    const on = Math.floor(random() * node);
    const kind = edit % 3;
    const start = process.cpuUsage();
    if (kind === 0 && !dependencies.includes(on)) {
      dependencies.push(on);
      workState.apply(edgeEvent(sequence, shape, 'added', node, on));
    } else if (kind === 1 && dependencies[0] !== undefined) {
      workState.apply(edgeEvent(sequence, shape, 'removed', node, dependencies.shift() ?? 0));
    } else {
      workState.apply(doneEvent(sequence, shape, node));
    }
    workState.progress.readyOrder();
    waits.push(process.cpuUsage(start).user / 1000);
    workState.progress.settleOrder(Number.POSITIVE_INFINITY);
    workState.progress.readyOrder();
    times.push(process.cpuUsage(start).user / 1000);
  }
  for (const list of [waits, times]) list.sort((a, b) => a - b);
  const ms = (value: number) => value.toFixed(2).padStart(8);
  console.log(
    `${shape.padEnd(8)} ready ${String(ready).padStart(6)}  fold ${ms(folded)} ms  first count ${ms(first)} ms  claims wait p50 ${ms(at(waits, 0.5))}  p99 ${ms(at(waits, 0.99))} ms  exact after p50 ${ms(at(times, 0.5))}  p99 ${ms(at(times, 0.99))}  max ${ms(times.at(-1) ?? 0)} ms`,
  );
}

for (const shape of shapes) measure(shape);
