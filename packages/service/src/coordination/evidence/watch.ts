import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import type { Binding } from '../plans/binding.ts';
import { planStream } from '../plans/events.ts';
import type { Ref } from '../plans/refs.ts';
import { evidenceAppend, type Observed, observeEvidence } from './decide.ts';
import type { Observer, Seen, Target } from './ports.ts';

export type WatchOptions = {
  log: EventLog;
  clock: Clock;
  observers: readonly Observer[];
  /** Every bound node of the active plans. */
  targets: () => Iterable<Target>;
  /** A node as it stands now, at the moment of writing. */
  stands: (ref: Ref) => Observed;
  /** Tells when a node could last be looked at. */
  looked: (ref: Ref, at: string) => void;
  everyMs: number;
  warn: (details: object, text: string) => void;
};

export type EvidenceWatch = {
  /** Looks at once at the nodes of these kinds, or at all; a look under way is followed by another. */
  look(kinds?: readonly Binding['kind'][]): Promise<void>;
  stop(): void;
};

/** Looks in the background, writes what changed, and never lets one observer hold up another. */
export function createEvidenceWatch(options: WatchOptions): EvidenceWatch {
  const { clock, everyMs, observers } = options;
  const lanes = observers.map((observer) => lane(() => lookThrough(observer, options)));
  const look = async (kinds?: readonly Binding['kind'][]) => {
    const chosen = lanes.filter((_, index) => !kinds || observers[index]?.kinds.some((kind) => kinds.includes(kind)));
    await Promise.all(chosen.map((run) => run()));
  };
  const stop = clock.every(everyMs, () => look());
  return { look, stop };
}

/** Runs one at a time; however often it is asked meanwhile, it runs once more. */
function lane(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;
  const run = (): Promise<void> => {
    if (!running) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    again ??= running.then(() => {
      again = undefined;
      return run();
    });
    return again;
  };
  return run;
}

async function lookThrough(observer: Observer, { targets, warn, ...options }: WatchOptions): Promise<void> {
  const mine = [...targets()].filter(({ binding }) => observer.kinds.includes(binding.kind));
  if (mine.length === 0) return;
  try {
    const seen = await observer.look(mine);
    const at = options.log.now();
    const unseen = new Set(seen.flatMap(({ target, observation }) => (observation.state === null ? [target] : [])));
    for (const target of mine) if (!unseen.has(target)) options.looked(target.ref, at);
    // At once, so that a first look at hundreds of nodes is a handful of flushes.
    await Promise.all(seen.map((each) => record(each, options)));
  } catch (err) {
    warn({ err, kinds: observer.kinds }, 'an observer could not look');
  }
}

/** Only what is news is written, decided on the node as it stands when it is written. */
async function record(
  { target, observation }: Seen,
  { log, stands }: Pick<WatchOptions, 'log' | 'stands'>,
): Promise<void> {
  const { ref, binding } = target;
  if (!observeEvidence(stands(ref), binding, observation)) return;
  await log.commit(() => {
    const event = observeEvidence(stands(ref), binding, observation);
    const append = event ? [evidenceAppend(ref, event, `observer:${binding.kind}`)] : [];
    // What was seen of one binding is no evidence for the next, whichever host bound it.
    return { append, reads: [planStream(ref.plan)], answer: () => undefined };
  });
}
