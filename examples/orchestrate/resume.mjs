// Resume after a crash: the lease of a killed process ends, and the next holder reads its progress.
import { spawn } from 'node:child_process';
import { box, bySuite, plan, publishGreenRun } from './recipe.mjs';

const isFirst = process.argv[2] !== 'dies';
if (isFirst) {
  await plan('resume', [{ id: 'copy', binding: bySuite }]);
  const other = spawn(process.execPath, [import.meta.filename, 'dies'], { stdio: 'inherit' });
  const [, signal] = await new Promise((resolve) => other.once('close', (...how) => resolve(how)));
  console.log(`another process ended by ${signal}`);
}

const files = ['a', 'b', 'c'];
const worker = box.work(
  // Six seconds for the killed process, so that this recipe ends soon.
  { agent: 'copier', plan: 'resume', leaseMinutes: isFirst ? 2 : 0.1, onPlanDone: () => worker.stop() },
  async ({ node }, { progress }) => {
    const done = Number(/^(\d+) of/.exec(node.lastClaim?.note ?? '')?.[1] ?? 0);
    if (done > 0) console.log(`goes on after ${node.lastClaim.note}`);
    for (const [index] of files.entries()) {
      if (index < done) continue;
      await progress((index + 1) / files.length, `${index + 1} of ${files.length} files`);
      if (!isFirst && index === 1) process.kill(process.pid, 'SIGKILL');
    }
    await publishGreenRun(node.ref);
  },
);
await worker.done;
console.log('the plan is done');
box.close();
