import { type ResourceLimits, Worker } from 'node:worker_threads';
import { ownModule } from '../../../files/package-folder.ts';
import type { Fault } from '../../../kernel/outcome.ts';
import type { PlanDocument } from '../contract.ts';
import { type FileText, tooLarge } from '../plan-text.ts';
import type { PlanTexts } from '../ports.ts';

const thread = ownModule('coordination/plans/io/plan-texts-thread');

/** A text to read; `paths` is set for the text of a file. */
export type TextToRead = { text: string; paths?: readonly string[] };

type TextLimits = { megabytes: number; ms: (text: string) => number };

/** Finding the position of a fault takes a hundred times the memory of the text. The longest text is read in a few seconds. */
const usualLimits: TextLimits = { megabytes: 512, ms: () => 30_000 };
const tooSlow = 'takes too long to be read; send it as JSON, or add the nodes in several calls';

/** Reads each text in its own worker thread, one at a time, without blocking this thread. */
export function createPlanTexts(limits: Partial<TextLimits> = {}): PlanTexts {
  const { megabytes, ms } = { ...usualLimits, ...limits };
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <Read>(reading: TextToRead, unreadable: (why: string) => Read): Promise<Read> => {
    const limit = { maxOldGenerationSizeMb: megabytes };
    const read = last.then(() => readInThread(reading, unreadable, limit, ms(reading.text)));
    last = read.catch(() => undefined);
    return read;
  };
  return {
    read: (text) => enqueue<PlanDocument | Fault[]>({ text }, (message) => [{ path: '', message }]),
    readFile: (text, paths) =>
      enqueue<FileText>({ text, paths }, (message) => ({ faults: [{ path: '', message, line: 1, column: 1 }] })),
  };
}

function readInThread<Read>(
  reading: TextToRead,
  unreadable: (why: string) => Read,
  resourceLimits: ResourceLimits,
  ms: number,
): Promise<Read> {
  const name = 'signalbox-plan-text';
  const worker = new Worker(thread, { workerData: reading, name, resourceLimits });
  return new Promise<Read>((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve(unreadable(tooSlow));
      void worker.terminate();
    }, ms);
    worker.once('message', (read: Read) => resolve(read));
    worker.once('error', (fault: NodeJS.ErrnoException) =>
      fault.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(unreadable(tooLarge)) : reject(fault),
    );
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the reading of a plan ended with ${code}`));
    });
  });
}
