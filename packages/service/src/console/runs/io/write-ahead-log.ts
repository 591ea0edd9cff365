import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { RunsDatabase } from './runs-database.ts';

const flush = promisify(fdatasync);
/** The log of commits is copied into the database once it has grown to this. */
const walBytes = 32 * 1024 * 1024;
/** A few pages change with each commit, however little is written. */
const bytesOfCommit = 16 * 1024;

/**
 * SQLite's log of commits. A commit reaches the system's memory on this thread; its flush runs in Node's pool, and copying
 * the log into the database in a thread of its own, so that nobody waits for the disk.
 */
export class WriteAheadLog {
  readonly #database: RunsDatabase;
  #fd: number | null = null;
  #grown = 0;
  /** A flush failed: bytes that the system shows may not be on the disk, so the database takes them over first. */
  #suspect = false;
  #copying: CheckpointThread | null = null;
  #copied: Promise<void> = Promise.resolve();

  constructor(database: RunsDatabase) {
    this.#database = database;
  }

  /** `bytes` is about what is written, besides what every commit takes. */
  async commit<Answer>(write: () => Answer, bytes = 0): Promise<Answer> {
    if (this.#suspect) {
      if (!this.#database.checkpoint()) throw new Error('the database of runs cannot be written');
      this.#suspect = false;
    }
    this.#grown += bytes + bytesOfCommit;
    return write();
  }

  async flush(): Promise<void> {
    this.#fd ??= openSync(this.#database.walPath, 'r');
    try {
      await flush(this.#fd);
    } catch (error) {
      this.#suspect = true;
      throw error;
    }
  }

  /** Most of it while others go on writing, the rest while nobody does: only then does SQLite begin the log again. */
  async shorten(): Promise<void> {
    if (this.#grown > walBytes && !this.#copying) {
      this.#copying = new CheckpointThread(this.#database.path);
      this.#copied = this.#copying.run();
    }
    if (this.#grown < 2 * walBytes || !this.#copying) return;
    await this.#copied;
    await this.#copying.run();
    await this.#copying.stop();
    this.#copying = null;
    this.#grown = 0;
  }

  async close(): Promise<void> {
    await this.#copied;
    await this.#copying?.stop();
    this.#database.checkpoint();
    if (this.#fd !== null) closeSync(this.#fd);
  }
}

const checkpointSource = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData);
  database.exec('PRAGMA busy_timeout = 2000; PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON');
  parentPort.on('message', () => {
    try { database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get(); } catch {}
    parentPort.postMessage(null);
  });`;

class CheckpointThread {
  readonly #worker: Worker;

  constructor(path: string) {
    this.#worker = new Worker(checkpointSource, { eval: true, workerData: path, execArgv: [] });
    this.#worker.unref();
  }

  /** A checkpoint that fails leaves the log as it is: the next one copies it. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.#worker.off('message', settle).off('error', settle).off('exit', settle);
        resolve();
      };
      this.#worker.on('message', settle).on('error', settle).on('exit', settle);
      this.#worker.postMessage(null);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
