import { platform } from '../../../platform/platform.ts';
import { type ChangeWatch, type ChangeWatchOptions, createChangeWatch } from '../watch.ts';
import { createChangeReader } from './change-reader.ts';

/** File changes that arrive together cause one check. */
const burstMs = 200;

/** Watches the changes of the live trees of this machine, in the service and in an observer. Reads nothing before `start`. */
export const watchChanges = (options: Omit<ChangeWatchOptions, 'openReader' | 'soon'>): ChangeWatch =>
  createChangeWatch({
    ...options,
    openReader: (reader) =>
      createChangeReader({ ...reader, isWatchable: platform.silentFileSystem(reader.root) === null }),
    soon: (work) => void setTimeout(work, burstMs).unref(),
  });
