import { guarded } from './guard.ts';
import type { Specification, Vitest } from './vitest-api.ts';

export const idOf = ({ taskId }: Specification): string => taskId;

/**
 * Calls back with the files that Vitest picked for this shard: once for all in Vitest 4 and 5, once for each pool in 3.
 * Reporters only see all files, so this wraps the sequencer, which may be the user's own.
 */
export function onShard({ sequence }: Vitest['config'], picked: (files: readonly Specification[]) => void): void {
  const Sequencer = sequence?.sequencer;
  if (!sequence || !Sequencer) return;
  sequence.sequencer = class extends Sequencer {
    constructor(...args: readonly never[]) {
      super(...args);
      const pick = this.shard;
      this.shard = async (files) => {
        const own = await pick.call(this, files);
        guarded(() => picked(own), undefined);
        return own;
      };
    }
  };
}
