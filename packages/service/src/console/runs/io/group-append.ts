import { flushPath } from '../../../files/durable-file.ts';
import { coalesced } from '../../../kernel/coalesced.ts';
import { SerialQueue } from '../../../kernel/serial-queue.ts';
import type { Journal, SealedPart } from './journal.ts';
import type { ArchiveAppend } from './journal-record.ts';
import type { OpenArchives } from './open-archives.ts';
import { restorePart } from './recover-archives.ts';
import { bytesOf } from './write-all.ts';

type QueuedAppend = { runId: string; lines: readonly Uint8Array[]; done: () => void; failed: (error: unknown) => void };

const appendsAtOnce = 256;
const bytesAtOnce = 16 * 1024 * 1024;
/** A part of the journal ends there: what a start may have to take back, and how long its archives take to be flushed. */
const partBytes = 32 * 1024 * 1024;

/**
 * Appends to archives, many at a time. What waits goes to the archives' files and into the journal, one flush of which
 * makes it durable. Archives are written first: a crash in between leaves only lines that were never acknowledged.
 */
export class GroupAppend {
  readonly #folder: string;
  readonly #archives: OpenArchives;
  readonly #journal: Journal;
  readonly #warn: (details: object, text: string) => void;
  #waiting: QueuedAppend[] = [];
  readonly #turns = new SerialQueue();
  #working = false;

  constructor(folder: string, archives: OpenArchives, journal: Journal, warn: (details: object, text: string) => void) {
    this.#folder = folder;
    this.#archives = archives;
    this.#journal = journal;
    this.#warn = warn;
  }

  append(runId: string, lines: readonly Uint8Array[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ runId, lines, done, failed });
      if (this.#working) return;
      this.#working = true;
      // Whoever comes in the same turn of the loop shares the flush.
      setImmediate(() => void this.#work());
    });
  }

  /** Flushes every archive that the journal speaks of, and lets that part of it go. */
  readonly checkpoint: () => Promise<void> = coalesced(async () => {
    for (const part of await this.#turns.run(async () => this.#journal.seal())) {
      await this.#flushArchives(part);
      await flushPath(this.#folder);
      await part.discard();
    }
  }).run;

  async #flushArchives({ path, runs, suspect, doubt }: SealedPart): Promise<void> {
    if (suspect) return restorePart(this.#folder, path);
    try {
      for (const runId of runs) await this.#archives.flush(runId);
    } catch (err) {
      this.#warn({ err }, 'an archive could not be flushed; it is written again from the journal');
      doubt();
      await restorePart(this.#folder, path);
    }
  }

  /** Checkpoints until the journal has no record of the run, so that recovery cannot restore it. */
  async settle(runId: string): Promise<void> {
    while (this.#journal.mentions(runId)) await this.checkpoint();
  }

  /** A journal whose archives cannot be flushed stays for the next start. */
  async close(): Promise<void> {
    await this.checkpoint().catch((err) => this.#warn({ err }, 'archives could not be flushed; the journal is kept'));
    await this.#journal.close();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      await this.#turns.run(() => this.#commit(group));
      if (this.#journal.bytes > partBytes) this.#checkpointSoon();
    }
    this.#working = false;
  }

  #takeGroup(): QueuedAppend[] {
    let bytes = 0;
    let count = 0;
    for (const { lines } of this.#waiting) {
      bytes += bytesOf(lines);
      if (count > 0 && (count === appendsAtOnce || bytes > bytesAtOnce)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #commit(group: readonly QueuedAppend[]): Promise<void> {
    const written: Array<{ waiting: QueuedAppend; appended: ArchiveAppend }> = [];
    for (const waiting of group) {
      const { runId, lines } = waiting;
      try {
        const writer = await this.#archives.writer(runId);
        written.push({ waiting, appended: { runId, ...(await writer.write(lines)) } });
      } catch (error) {
        await this.#archives.close(runId).catch(() => undefined);
        waiting.failed(error);
      }
    }
    try {
      if (written.length > 0) await this.#journal.append(written.map(({ appended }) => appended));
      // Callers do much work next; start the next group's flush first.
      setImmediate(() => {
        for (const { waiting } of written) waiting.done();
      });
    } catch (error) {
      for (const { waiting, appended } of written.reverse()) await this.#undo(waiting, appended, error);
      this.#checkpointSoon();
    }
    await this.#archives.closeIdle().catch(() => undefined);
  }

  async #undo({ runId, failed }: QueuedAppend, appended: ArchiveAppend, error: unknown): Promise<void> {
    try {
      const writer = await this.#archives.writer(runId);
      await writer.undo(appended);
      await this.#archives.close(runId);
    } catch (err) {
      this.#warn({ err, runId }, 'lines of a refused batch could not be taken back');
    }
    failed(error);
  }

  #checkpointSoon(): void {
    this.checkpoint().catch((err) => this.#warn({ err }, 'archives could not be flushed; it is tried again'));
  }
}
