import { Worker } from 'node:worker_threads';
import type { PlanDocument } from '../contract.ts';
import type { PlanTexts } from '../ports.ts';

const file = import.meta.url.endsWith('.ts') ? './plan-texts-thread.ts' : './plan-texts-thread.js';

/** In a thread of its own, which ends with the text. One at a time: others wait, and none of them on this thread. */
export function createPlanTexts(): PlanTexts {
  let last: Promise<unknown> = Promise.resolve();
  return {
    read(text) {
      const read = last.then(() => readElsewhere(text));
      last = read.catch(() => undefined);
      return read;
    },
  };
}

function readElsewhere(text: string): ReturnType<PlanTexts['read']> {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: text, name: 'signalbox-plan-text' });
  return new Promise((resolve, reject) => {
    worker.once('message', (read: PlanDocument) => resolve(read));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the reading of a plan ended with ${code}`)));
  });
}
