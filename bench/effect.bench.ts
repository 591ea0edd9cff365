import { WorkState } from '../packages/service/src/coordination/work/work-state.ts';
import { claimEvent, doneEvent, eventsOf, graphOf, type Shape, seeded, shapes } from './shapes.ts';

// What one claim and one completion of a ready node cost before the next claim can be decided, at 100,000 nodes and 300,000
// edges, and until the order is exact again, which happens between other work. Completed in dependency order, as work is.
const size = Number(process.argv[2] ?? 100_000);
const steps = 2000;
const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const report = (times: number[]) => {
  times.sort((a, b) => a - b);
  return `p50 ${at(times, 0.5).toFixed(1)} us, p99 ${at(times, 0.99).toFixed(0)} us`;
};

function measure(shape: Shape): void {
  const workState = new WorkState();
  for (const event of eventsOf(shape, graphOf(shape, size, seeded(7)))) workState.apply(event);
  const { progress } = workState;
  const random = seeded(11);
  const [claims, completions, exact]: [number[], number[], number[]] = [[], [], []];
  progress.settleOrder(Number.POSITIVE_INFINITY);
  let sequence = 1_000_000;
  for (let step = 0; step < steps; step += 1) {
    const ready = progress.readyOrder();
    const vertex = ready[Math.floor(random() * Math.min(64, ready.length))] ?? 0;
    const node = Number(/\d+$/.exec(workState.keyOf(vertex))?.[0]);
    sequence += 2;
    let start = performance.now();
    workState.apply(claimEvent(sequence, shape, node));
    progress.readyOrder();
    claims.push((performance.now() - start) * 1000);
    start = performance.now();
    workState.apply(doneEvent(sequence + 1, shape, node));
    progress.readyOrder();
    completions.push((performance.now() - start) * 1000);
    progress.settleOrder(Number.POSITIVE_INFINITY);
    progress.readyOrder();
    exact.push((performance.now() - start) * 1000);
  }
  const ready = progress.readyOrder().length;
  console.log(
    `${shape.padEnd(8)} ready ${ready}: a claim ${report(claims)}; a completion ${report(completions)}; exact after ${report(exact)}`,
  );
}

for (const shape of shapes) measure(shape);
