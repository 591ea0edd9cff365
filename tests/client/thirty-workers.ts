import { connect } from '../../packages/service/src/client/index.ts';

// Fifteen workers with two nodes each; every second function ignores its signal.
const box = connect({ url: process.env.BOX ?? '' });
for (let number = 0; number < 15; number += 1) {
  box.work({ agent: 'fleet', plan: 'fleet', concurrency: 2, graceMs: 20 }, async ({ node }, { report, signal }) => {
    await report(`half of ${node.id}`);
    await new Promise((_resolve, reject) => {
      if (Number(node.id.slice(1)) % 2 === 0) signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
}
