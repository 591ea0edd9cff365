// Fan-out and join: three parts at once, each with a result, and the last node gets all of them.
import { box, bySuite, plan, publishOnceSubmitted } from './recipe.mjs';

const parts = ['north', 'south', 'east'];
await plan('fan-out', [
  ...parts.map((id) => ({ id, binding: bySuite })),
  { id: 'join', dependsOn: parts, binding: bySuite },
]);

const worker = box.work(
  { agent: 'fan', plan: 'fan-out', concurrency: 3, onPlanDone: () => worker.stop() },
  async ({ node, inputs }) => {
    publishOnceSubmitted(node.ref);
    if (node.id !== 'join') return { rows: node.id.length };
    const rows = inputs.reduce((sum, { result }) => sum + result.rows, 0);
    console.log(`join got ${rows} rows of ${inputs.length} parts`);
    return { rows };
  },
);
await worker.done;
console.log('the plan is done');
box.close();
