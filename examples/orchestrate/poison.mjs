// A node that always fails is parked after maxAttempts, for a person to see, and does not stop the others.
import { box, bySuite, plan, publishGreenRun, statusOf } from './recipe.mjs';

await plan('poison', [
  { id: 'bad', maxAttempts: 1, binding: bySuite },
  { id: 'good', binding: bySuite },
]);

let isMended = false;
const worker = box.work(
  { agent: 'taster', plan: 'poison', concurrency: 2, onIdle: () => fix(), onPlanDone: () => worker.stop() },
  async ({ node }, { fail }) => {
    if (node.id === 'bad' && !isMended) fail('the fixture is missing');
    await publishGreenRun(node.ref);
  },
);

/** Only parked nodes are left: a person reads the error, fixes it, and resets the node. */
async function fix() {
  if (isMended) return;
  isMended = true;
  const { parked, attempts, lastClaim } = await statusOf('poison/bad');
  console.log(`parked by ${parked} after ${attempts.failed}: ${lastClaim.error}`);
  await box.call('reset_node', { plan: 'poison', node: 'bad', by: 'ida' });
}

await worker.done;
console.log('the plan is done');
box.close();
