import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { streams } from '../../kernel/streams.ts';
import type { Binding } from '../plans/binding.ts';
import type { Ref } from '../plans/refs.ts';
import { evidenceAppend, type ObservedNode, observeEvidence } from './decide.ts';
import type { EvidenceObserver, EvidenceTarget, TargetObservation } from './ports.ts';

export type EvidenceWatchOptions = {
  log: EventLog;
  clock: Clock;
  observers: readonly EvidenceObserver[];
  /** Every bound node of the active plans. */
  targets: () => Iterable<EvidenceTarget>;
  /** A node as it stands now, at the moment of writing. */
  stands: (ref: Ref) => ObservedNode;
  /** Notes when a node could last be checked. */
  markChecked: (ref: Ref, at: string) => void;
  everyMs: number;
  warn: (details: object, text: string) => void;
};

export type EvidenceWatch = {
  /** Looks at once at the nodes of these kinds, or at all; a look under way is followed by another. */
  poll(kinds?: readonly Binding['kind'][]): Promise<void>;
  /** The same, and whether all of it could be looked at and written down. */
  settle(kinds: readonly Binding['kind'][]): Promise<boolean>;
  stop(): void;
};

/** Polls in the background and writes what changed. One observer never delays another. */
export function createEvidenceWatch(options: EvidenceWatchOptions): EvidenceWatch {
  const { clock, everyMs, observers } = options;
  const queues = observers.map((observer) => {
    let succeeded = true;
    const { run } = coalesced(async () => {
      succeeded = await pollObserver(observer, options);
    });
    return { kinds: observer.kinds, look: () => run().then(() => succeeded) };
  });
  const look = async (kinds?: readonly Binding['kind'][]) => {
    const chosen = queues.filter((queue) => !kinds || queue.kinds.some((kind) => kinds.includes(kind)));
    return (await Promise.all(chosen.map((queue) => queue.look()))).every((succeeded) => succeeded);
  };
  const poll = async (kinds?: readonly Binding['kind'][]) => void (await look(kinds));
  return { poll, settle: look, stop: clock.every(everyMs, () => poll()) };
}

async function pollObserver(
  observer: EvidenceObserver,
  { targets, warn, ...options }: EvidenceWatchOptions,
): Promise<boolean> {
  const ownTargets = [...targets()].filter(({ binding }) => observer.kinds.includes(binding.kind));
  if (ownTargets.length === 0) return true;
  try {
    const observations = await observer.observe(ownTargets);
    const at = options.log.now();
    const unobservedTargets = new Set(
      observations.flatMap(({ target, observation }) => (observation.state === null ? [target] : [])),
    );
    for (const target of ownTargets) if (!unobservedTargets.has(target)) options.markChecked(target.ref, at);
    // At once, so that a first look at hundreds of nodes is a handful of flushes.
    await Promise.all(observations.map((each) => record(each, options)));
    return true;
  } catch (err) {
    warn({ err, kinds: observer.kinds }, 'an observer could not look');
    return false;
  }
}

/** Writes only changes, decided on the node at the time of writing. */
async function record(
  { target, observation }: TargetObservation,
  { log, stands }: Pick<EvidenceWatchOptions, 'log' | 'stands'>,
): Promise<void> {
  const { ref, binding } = target;
  if (!observeEvidence(stands(ref), binding, observation)) return;
  await log.commit(() => {
    const event = observeEvidence(stands(ref), binding, observation);
    const append = event ? [evidenceAppend(ref, event, `observer:${binding.kind}`)] : [];
    // Reads the plan's stream: an observation of one binding is not evidence for the next, whichever host bound it.
    return { append, reads: [streams.plan(ref.plan)], answer: () => undefined };
  });
}
