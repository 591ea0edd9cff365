// A hanging function is aborted after timeoutMs; its node counts as failed, and the worker continues with the next.
import { box, bySuite, plan, publishGreenRun, statusOf } from './recipe.mjs';

await plan('timeout', [
  { id: 'hangs', maxAttempts: 1, binding: bySuite },
  { id: 'works', binding: bySuite },
]);

const worker = box.work(
  { agent: 'patient', plan: 'timeout', timeoutMs: 100, onIdle: () => worker.stop() },
  async ({ node }, { signal }) => {
    // A child process started with this signal is ended by it.
    if (node.id === 'hangs')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await publishGreenRun(node.ref);
  },
);
await worker.done;
const { attempts, lastClaim } = await statusOf('timeout/hangs');
console.log(`hangs: ${attempts.failed} of ${attempts.limit} attempts failed: ${lastClaim.error}`);
console.log(`works: ${(await statusOf('timeout/works')).status}`);
box.close();
