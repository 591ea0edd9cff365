import { writeSync } from 'node:fs';
import type { Posted } from './console-client.ts';

const longestWhy = 300;

/** The events of a run that the console rejected although it took their batch. */
export class Rejections {
  #count = 0;
  #why = '';

  note({ rejected }: Posted, body: string): void {
    if (rejected.length === 0) return;
    const { events } = JSON.parse(body) as { events: readonly { type: string }[] };
    // The next heartbeat may be accepted, and nothing is missing without it.
    const missing = rejected.filter(({ index }) => events[index]?.type !== 'run_heartbeat');
    if (this.#count === 0) this.#why = missing[0]?.message ?? '';
    this.#count += missing.length;
  }

  /** One line on standard error. It is written by this thread, because a process that exits runs nothing else. */
  print(): void {
    if (this.#count === 0) return;
    const events = this.#count === 1 ? '1 event' : `${this.#count} events`;
    const why = this.#why.slice(0, longestWhy).replace(/\p{C}/gu, '·');
    try {
      writeSync(2, `signalbox-publisher: the run console rejected ${events}, so the run is incomplete: ${why}\n`);
    } catch {
      // Nobody reads it.
    }
    this.#count = 0;
  }
}
