import { BadConfig } from '../app/config.ts';
import { CannotListen } from '../edge/listen.ts';
import { DataPathInUse, DataPathUnusable } from '../store/data-path.ts';
import { DamagedStore } from '../store/event-checksum.ts';

const refusals = [BadConfig, CannotListen, DataPathInUse, DataPathUnusable, DamagedStore];

/** Whether a service could not start for a reason that the user can mend; its message says how. */
export const isStartRefusal = (fault: unknown): fault is Error => refusals.some((kind) => fault instanceof kind);
