import { constants } from 'node:fs';
import { join } from 'node:path';
import { nullIfMissing } from '../../../files/durable-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import { archiveSuffix } from './archive-index.ts';
import { ArchiveWriter } from './archive-writer.ts';

/** Files kept open between batches. */
const openAtOnce = 64;

/** The archives that are open for appending, least lately used first. */
export class OpenArchives {
  readonly #folder: string;
  readonly #writers = new Map<string, ArchiveWriter>();
  /** Of these all that was there before this process is on disk. */
  readonly #settled = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async writer(runId: string): Promise<ArchiveWriter> {
    const known = this.#writers.get(runId);
    this.#writers.delete(runId);
    const writer = known ?? (await ArchiveWriter.open(this.#path(runId)));
    this.#writers.set(runId, writer);
    if (known || this.#settled.has(runId)) return writer;
    // The journal stores offsets, so all bytes before them must be durable first.
    if (writer.size > 0) await writer.flush();
    this.#settled.add(runId);
    return writer;
  }

  /** All that the system was ever handed for this archive. */
  async flush(runId: string): Promise<void> {
    const open = this.#writers.get(runId);
    if (open) return open.flush();
    const opened = await openSafeFile(this.#path(runId), constants.O_RDWR).catch(nullIfMissing);
    await opened?.file.datasync().finally(() => opened.file.close());
  }

  /** How much of an archive is written whole; undefined while none of it is being written. */
  sizeOf(runId: string): number | undefined {
    return this.#writers.get(runId)?.size;
  }

  async close(runId: string): Promise<void> {
    const writer = this.#writers.get(runId);
    this.#writers.delete(runId);
    await writer?.close();
  }

  async closeIdle(): Promise<void> {
    for (const runId of this.#writers.keys()) {
      if (this.#writers.size <= openAtOnce) return;
      await this.close(runId);
    }
  }

  async closeAll(): Promise<void> {
    for (const runId of [...this.#writers.keys()]) await this.close(runId);
  }

  #path(runId: string): string {
    return join(this.#folder, runId + archiveSuffix);
  }
}
