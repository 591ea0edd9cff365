import { Worker } from 'node:worker_threads';
import type { PlanTexts } from '../ports.ts';

const thread = import.meta.url.endsWith('.ts') ? './plan-texts-thread.ts' : './plan-texts-thread.js';

/** A text to read; with `paths` it is that of a file. */
export type TextToRead = { text: string; paths?: readonly string[] };

/** Reads each text in a worker thread of its own, one at a time, without blocking this thread. */
export function createPlanTexts(): PlanTexts {
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <Read>(reading: TextToRead): Promise<Read> => {
    const read = last.then(() => readInThread<Read>(reading));
    last = read.catch(() => undefined);
    return read;
  };
  return { read: (text) => enqueue({ text }), readFile: (text, paths) => enqueue({ text, paths }) };
}

function readInThread<Read>(reading: TextToRead): Promise<Read> {
  const worker = new Worker(new URL(thread, import.meta.url), { workerData: reading, name: 'signalbox-plan-text' });
  return new Promise((resolve, reject) => {
    worker.once('message', (read: Read) => resolve(read));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the reading of a plan ended with ${code}`)));
  });
}
