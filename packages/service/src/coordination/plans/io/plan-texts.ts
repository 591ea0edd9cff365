import { Worker } from 'node:worker_threads';
import type { PlanTexts } from '../ports.ts';

const thread = import.meta.url.endsWith('.ts') ? './plan-texts-thread.ts' : './plan-texts-thread.js';

/** A text to read; with `paths` it is that of a file. */
export type Reading = { text: string; paths?: readonly string[] };

/** In a thread of its own, which ends with the text. One at a time: others wait, and none of them on this thread. */
export function createPlanTexts(): PlanTexts {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Read>(reading: Reading): Promise<Read> => {
    const read = last.then(() => readElsewhere<Read>(reading));
    last = read.catch(() => undefined);
    return read;
  };
  return { read: (text) => inTurn({ text }), readFile: (text, paths) => inTurn({ text, paths }) };
}

function readElsewhere<Read>(reading: Reading): Promise<Read> {
  const worker = new Worker(new URL(thread, import.meta.url), { workerData: reading, name: 'signalbox-plan-text' });
  return new Promise((resolve, reject) => {
    worker.once('message', (read: Read) => resolve(read));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the reading of a plan ended with ${code}`)));
  });
}
