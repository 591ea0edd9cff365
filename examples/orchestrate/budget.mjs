// Budget: the sessions that work on a plan may use so many tokens. Over it, its nodes are parked for a person.
import { box, bySuite, plan, publishGreenRun, statusOf } from './recipe.mjs';

await plan('budget', [{ id: 'draft', budget: { tokens: 200_000 }, binding: bySuite }], {
  budget: { tokens: 2_000_000 },
});

const worker = box.work(
  { agent: 'thrifty', plan: 'budget', onPlanDone: () => worker.stop() },
  async ({ node }, { report }) => {
    // Link the session of the agent that does the work: its tool counts the tokens.
    await report('drafting', { session: 'the id of the session' });
    await publishGreenRun(node.ref);
  },
);
await worker.done;
const { spent, parked } = await statusOf('budget/draft');
console.log(`${spent.tokens} tokens in ${spent.claims} claim, parked: ${parked ?? 'no'}`);
box.close();
