// Wait for a suite: a function holds its node until another one is proven by a run that somebody else publishes.
import { box, bySuite, plan, publishGreenRun, statusOf } from './recipe.mjs';

await plan('wait-for-suite', [
  { id: 'tests', binding: bySuite },
  { id: 'release', binding: bySuite },
]);

const worker = box.work(
  { agent: 'releaser', plan: 'wait-for-suite', concurrency: 2, onPlanDone: () => worker.stop() },
  async ({ node }, { wait }) => {
    if (node.id === 'release') {
      await wait('tests');
      console.log(`tests: ${(await statusOf('wait-for-suite/tests')).status}`);
      await publishGreenRun(node.ref);
    } else {
      // Submitted; the pipeline publishes its run later.
      setTimeout(() => publishGreenRun(node.ref), 200);
    }
  },
);
await worker.done;
console.log('the plan is done');
box.close();
