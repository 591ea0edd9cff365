import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Fault } from '../../../kernel/outcome.ts';
import type { PlanDocument } from '../contract.ts';
import type { FileText } from '../plan-text.ts';
import type { PlanTexts } from '../ports.ts';

const thread = import.meta.url.endsWith('.ts') ? './plan-texts-thread.ts' : './plan-texts-thread.js';

/** A text to read; with `paths` it is that of a file. */
export type TextToRead = { text: string; paths?: readonly string[] };

/** What is built to tell a fault's place takes a hundred times the text. */
const mostMegabytes = 512;
const tooLarge = 'is too large to be read in one piece; send it as JSON, or add the nodes in several calls';

/** Reads each text in a worker thread of its own, one at a time, without blocking this thread. */
export function createPlanTexts(maxOldGenerationSizeMb = mostMegabytes): PlanTexts {
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <Read>(reading: TextToRead, unreadable: Read): Promise<Read> => {
    const read = last.then(() => readInThread(reading, unreadable, { maxOldGenerationSizeMb }));
    last = read.catch(() => undefined);
    return read;
  };
  return {
    read: (text) => enqueue<PlanDocument | Fault[]>({ text }, [{ path: '', message: tooLarge }]),
    readFile: (text, paths) =>
      enqueue<FileText>({ text, paths }, { faults: [{ path: '', message: tooLarge, line: 1, column: 1 }] }),
  };
}

function readInThread<Read>(reading: TextToRead, unreadable: Read, resourceLimits: ResourceLimits): Promise<Read> {
  const name = 'signalbox-plan-text';
  const worker = new Worker(new URL(thread, import.meta.url), { workerData: reading, name, resourceLimits });
  return new Promise((resolve, reject) => {
    worker.once('message', (read: Read) => resolve(read));
    worker.once('error', (fault: NodeJS.ErrnoException) =>
      fault.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(unreadable) : reject(fault),
    );
    worker.once('exit', (code) => reject(new Error(`the reading of a plan ended with ${code}`)));
  });
}
