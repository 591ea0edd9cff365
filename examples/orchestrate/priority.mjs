// Priority: the dependencies of an urgent node are urgent too.
import { box, bySuite, plan, publishGreenRun } from './recipe.mjs';

await plan('priority', [
  { id: 'someday', priority: 'low', binding: bySuite },
  { id: 'usual', binding: bySuite },
  { id: 'groundwork', binding: bySuite },
  { id: 'hotfix', priority: 'urgent', dependsOn: ['groundwork'], binding: bySuite },
]);

const order = [];
const worker = box.work({ agent: 'one', plan: 'priority', onPlanDone: () => worker.stop() }, async ({ node }) => {
  order.push(node.id);
  await publishGreenRun(node.ref);
});
await worker.done;
console.log(order.join(' '));
box.close();
