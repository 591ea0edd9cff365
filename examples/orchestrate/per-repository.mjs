// At most two at once in one repository, across all workers and processes: the service hands out no more.
import { box, bySuite, plan, publishGreenRun } from './recipe.mjs';

await box.call('declare_repository', { owner: 'acme', name: 'monolith', maxClaims: 2 });
const nodes = Array.from({ length: 6 }, (_, n) => ({ id: `n${n}`, repository: 'acme/monolith', binding: bySuite }));
await plan('per-repository', nodes);

let [now, most] = [0, 0];
const worker = box.work(
  { agent: 'crowd', plan: 'per-repository', concurrency: 6, onPlanDone: () => worker.stop() },
  async ({ node }) => {
    now += 1;
    most = Math.max(most, now);
    await publishGreenRun(node.ref);
    now -= 1;
  },
);
await worker.done;
console.log(`${nodes.length} nodes, at most ${most} at once`);
box.close();
