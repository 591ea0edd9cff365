import { iso } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { SessionFacts } from '../agents/session-state.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { HostView } from '../hosts/contract.ts';
import type { TreeChanges } from '../trees/overlaps.ts';
import { maxObserved, type ObservationBatch, type RememberedObserver } from './contract.ts';
import { applyTreeChanges, countPaths, maxPathsOfAll, maxPathsOfObserver } from './observed-changes.ts';

/** One observer, as of its last message. */
export type Observer = {
  name: string;
  /**
   * Null after a restart of the service until the observer reports: an observer of that name may continue this entry.
   */
  life: string | null;
  sequence: number;
  version: string | null;
  /** The command with which a person reaches its sessions; null if it was not given. */
  enter: string | null;
  /** How far its clock is ahead of ours, according to its last message. */
  clockOffsetMs: number;
  lastSeen: string;
  heardAt: number;
  /** Silent for so long that the state of its sessions is unknown. */
  away: boolean;
  session: Map<string, SessionFacts>;
  tree: Map<string, TreeFacts>;
  /** The changes of live trees, by root. */
  changes: Map<string, TreeChanges>;
};

/** The changes of one message, as ids for the views that show them. */
export type ObservedChanges = {
  sessions: string[];
  trees: string[];
  /** Whether the changes of working trees differ now. */
  changes: boolean;
};

const noChanges = (): ObservedChanges => ({ sessions: [], trees: [], changes: false });

/** Observers send a heartbeat every five seconds. */
const lostAfterMs = 30_000;
/** The name of an observer that was killed is free again after two missed heartbeats. */
const nameFreeAfterMs = 12_000;
const forgottenAfterMs = 24 * 60 * 60_000;
const maxObservers = 1_000;
const maxRemembered = 20_000;

/** Everything that observers sent, by name. `version` increases with every change. */
export class Observers {
  readonly #observers = new Map<string, Observer>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  all(): Iterable<Observer> {
    return this.#observers.values();
  }

  has(name: string): boolean {
    return this.#observers.has(keyOf(name));
  }

  get(name: string): Observer | undefined {
    return this.#observers.get(keyOf(name));
  }

  /** Applies one message, or reports that an earlier one is missing. */
  receive(
    batch: ObservationBatch,
    now: { wall: number; monotonic: number },
  ): Refusal | { resend: boolean; changes: ObservedChanges } {
    const known = this.#observers.get(keyOf(batch.observer));
    const changes = noChanges();
    const isOther = known !== undefined && known.life !== batch.life;
    if (isOther && known.life !== null && now.monotonic - known.heardAt < nameFreeAfterMs) return nameTaken(known);
    if (!known && this.#observers.size >= maxObservers) return tooMany();
    if (known && !isOther && batch.sequence <= known.sequence) return { resend: false, changes };
    const continues = known && !isOther && batch.sequence === known.sequence + 1;
    if (!batch.whole && !continues) return { resend: true, changes };
    const observer = known ?? emptyObserver(batch.observer);
    this.#observers.set(keyOf(batch.observer), observer);
    const wasAway = observer.away;
    Object.assign(observer, {
      life: batch.life,
      sequence: batch.sequence,
      version: batch.version ?? (isOther ? null : observer.version),
      enter: batch.enter ?? (isOther ? null : observer.enter),
      clockOffsetMs: Date.parse(batch.sentAt) - now.wall,
      lastSeen: iso(now.wall),
      heardAt: now.monotonic,
      away: false,
    });
    if (wasAway) noteAll(observer, changes);
    if (batch.leaves) this.#drop(observer, changes);
    else {
      applyTo(observer, batch, changes);
      const isApplied = applyTreeChanges(observer.changes, observer.name, batch, this.#mostPathsOf(observer));
      changes.changes ||= isApplied;
    }
    if (hasChanges(changes)) this.#version += 1;
    return { resend: false, changes };
  }

  /** Marks silent observers as lost, and removes those that were lost for a day. */
  checkSilence(now: number): ObservedChanges & { lost: string[] } {
    const changes: ObservedChanges & { lost: string[] } = { ...noChanges(), lost: [] };
    for (const observer of [...this.#observers.values()]) {
      const silentMs = now - observer.heardAt;
      if (silentMs > forgottenAfterMs) this.#drop(observer, changes);
      else if (silentMs > lostAfterMs && !observer.away) {
        observer.away = true;
        changes.lost.push(observer.name);
        noteAll(observer, changes);
      }
    }
    if (hasChanges(changes) || changes.lost.length > 0) this.#version += 1;
    return changes;
  }

  /** Observers that a restart of the service must not lose: one that does not come back becomes lost. */
  remembered(): RememberedObserver[] {
    let [sessionsLeft, treesLeft] = [maxRemembered, maxRemembered];
    return [...this.#observers.values()].map(({ name, version, enter, clockOffsetMs, lastSeen, session, tree }) => {
      const sessions = [...session.values()].filter(({ state }) => state !== 'gone').slice(0, sessionsLeft);
      const trees = [...tree.values()].slice(0, treesLeft);
      sessionsLeft -= sessions.length;
      treesLeft -= trees.length;
      return { name, version, enter, clockOffsetMs, lastSeen, sessions, trees };
    });
  }

  /** Each observer gets as much time to come back as one that was heard from just now. */
  recall(remembered: readonly RememberedObserver[], now: { wall: number; monotonic: number }): void {
    for (const { name, sessions, trees, ...known } of remembered) {
      if (now.wall - Date.parse(known.lastSeen) > forgottenAfterMs || this.#observers.size >= maxObservers) continue;
      const observer = { ...emptyObserver(name), ...known, heardAt: now.monotonic };
      applyTo(observer, { whole: true, sessions, trees }, noChanges());
      this.#observers.set(keyOf(name), observer);
    }
    this.#version += 1;
  }

  /** The changes of the live trees of all observers that are not away. */
  treeChanges(): TreeChanges[] {
    return [...this.#observers.values()].flatMap(({ away, changes }) => (away ? [] : [...changes.values()]));
  }

  #mostPathsOf(observer: Observer): number {
    let others = 0;
    for (const one of this.#observers.values()) if (one !== observer) others += countPaths(one.changes);
    return Math.min(maxPathsOfObserver, Math.max(0, maxPathsOfAll - others));
  }

  #drop(observer: Observer, changes: ObservedChanges): void {
    noteAll(observer, changes);
    this.#observers.delete(keyOf(observer.name));
    this.#version += 1;
  }
}

const keyOf = (name: string): string => name.toLowerCase();

function emptyObserver(name: string): Observer {
  return {
    name,
    life: null,
    sequence: 0,
    version: null,
    enter: null,
    clockOffsetMs: 0,
    lastSeen: '',
    heardAt: 0,
    away: false,
    session: new Map(),
    tree: new Map(),
    changes: new Map(),
  };
}

type Facts = Pick<ObservationBatch, 'whole' | 'sessions' | 'trees' | 'goneSessions' | 'goneTrees'>;

function applyTo(observer: Observer, batch: Facts, changes: ObservedChanges): void {
  const { sessions = [], trees = [], goneSessions = [], goneTrees = [] } = batch;
  const kept = { session: new Set<string>(), tree: new Set<string>() };
  for (const sent of sessions) {
    const { sessionId } = sent;
    const reach = observer.enter === null ? {} : { enter: observer.enter };
    kept.session.add(sessionId);
    if (!observer.session.has(sessionId) && observer.session.size >= maxObserved) continue;
    observer.session.set(sessionId, { ...sent, host: observer.name, via: 'observer', ...reach });
    changes.sessions.push(sessionId);
  }
  for (const sent of trees) {
    kept.tree.add(sent.root);
    if (!observer.tree.has(sent.root) && observer.tree.size >= maxObserved) continue;
    observer.tree.set(sent.root, { ...sent, host: observer.name });
    changes.trees.push(sent.root);
  }
  const missing = (items: ReadonlyMap<string, unknown>, present: ReadonlySet<string>) =>
    batch.whole ? [...items.keys()].filter((id) => !present.has(id)) : [];
  for (const id of [...goneSessions, ...missing(observer.session, kept.session)])
    if (observer.session.delete(id)) changes.sessions.push(id);
  for (const root of [...goneTrees, ...missing(observer.tree, kept.tree)])
    if (observer.tree.delete(root)) changes.trees.push(root);
}

function noteAll({ session, tree, changes: ofTrees }: Observer, changes: ObservedChanges): void {
  changes.changes ||= ofTrees.size > 0;
  changes.sessions.push(...session.keys());
  changes.trees.push(...tree.keys());
}

const hasChanges = ({ sessions, trees }: ObservedChanges): boolean => sessions.length + trees.length > 0;

const nameTaken = ({ name }: Observer) =>
  refuse(
    'observer_name_taken',
    `An observer called ${name} is connected. Start this one with another --name, or stop the other first.`,
  );

const tooMany = () =>
  refuse(
    'too_many_requests',
    `This service has ${maxObservers} observers and accepts no more. Stop some, or wait a day until lost ones are forgotten.`,
  );

/** An observer in the list of hosts. */
export function observerView({ name, away, version, enter, lastSeen, ...observer }: Observer, now: number): HostView {
  return {
    name,
    self: false,
    state: away ? 'away' : 'up',
    version,
    url: null,
    lastSeen,
    lagMs: Math.max(0, Math.round(now - observer.heardAt)),
    clockOffsetMs: Math.round(observer.clockOffsetMs),
    sessions: away ? 0 : [...observer.session.values()].filter(({ live }) => live).length,
    runs: 0,
    via: 'observer',
    ...(enter !== null && { enter }),
    duties: [],
  };
}
