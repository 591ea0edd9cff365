// Cancel by removing: the worker's signal is aborted within a second, as it is if the plan is archived or the node changes.
import { box, bySuite, plan } from './recipe.mjs';

await plan('cancel', [{ id: 'obsolete', binding: bySuite }]);

const worker = box.work({ agent: 'careful', plan: 'cancel' }, async ({ node }, { signal, report }) => {
  await report('half way');
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  await box.call('remove_node', { plan: node.plan, node: node.id, force: true, by: 'ida' });
  await aborted;
  console.log(`aborted: ${signal.reason.code}`);
  worker.stop();
});
await worker.done;
box.close();
