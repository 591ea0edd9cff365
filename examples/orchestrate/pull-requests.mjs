// Pull requests by branch: the node is submitted when its branch is pushed, and not handed out until the pull request of that branch is
// merged (done) or closed (ready again). The plan need not contain its number.
import { box, plan, statusOf } from './recipe.mjs';

const binding = (branch) => ({ kind: 'pullRequest', repository: 'acme/shop', branch });
await plan('pull-requests', [
  { id: 'parser', binding: binding('node/parser') },
  { id: 'lexer', binding: binding('node/lexer') },
]);

const worker = box.work(
  { agent: 'author', plan: 'pull-requests', onIdle: () => worker.stop() },
  async ({ node }, { report }) => {
    // git push origin HEAD:node/${node.id} && gh pr create --fill
    await report(`pushed node/${node.id}`);
  },
);
await worker.done;
for (const id of ['lexer', 'parser']) {
  const { status, submission } = await statusOf(`pull-requests/${id}`);
  console.log(`${id}: ${status} by ${submission.agent}, ${submission.note}`);
}
const next = await box.call('claim_next', { agent: 'another', plan: 'pull-requests' });
console.log(`for another worker: ${next.reason}`);
box.close();
