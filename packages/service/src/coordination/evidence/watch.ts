import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { isRefusal } from '../../kernel/outcome.ts';
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
  /** The current state of a node, read when its evidence is written. */
  currentNode: (ref: Ref) => ObservedNode;
  /** Records when a node could last be checked. */
  markChecked: (ref: Ref, at: string) => void;
  everyMs: number;
  warn: (details: object, text: string) => void;
};

export type EvidenceWatch = {
  /** Observes the nodes of these kinds now, or all nodes; a poll in progress is followed by another. */
  poll(kinds?: readonly Binding['kind'][]): Promise<void>;
  /** Polls; resolves to false if anything could not be observed or written. */
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
    // Together, so that the first observations of hundreds of nodes take a handful of flushes.
    const written = await Promise.all(observations.map((each) => record(each, options)));
    return written.every((isWritten) => isWritten);
  } catch (err) {
    warn({ err, kinds: observer.kinds }, 'an observer of evidence failed');
    return false;
  }
}

/** Writes only changes, decided on the node at the time of writing. False if the store refused the write. */
async function record(
  { target, observation }: TargetObservation,
  { log, currentNode }: Pick<EvidenceWatchOptions, 'log' | 'currentNode'>,
): Promise<boolean> {
  const { ref, binding } = target;
  if (!observeEvidence(currentNode(ref), binding, observation)) return true;
  const answer = await log.commit(() => {
    const event = observeEvidence(currentNode(ref), binding, observation);
    const append = event ? [evidenceAppend(ref, event, `observer:${binding.kind}`)] : [];
    // Reads the plan's stream: an observation of one binding is not evidence for the next, whichever host bound it.
    return { append, reads: [streams.plan(ref.plan)], answer: () => undefined };
  });
  return !isRefusal(answer);
}
