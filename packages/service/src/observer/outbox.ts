import type { SessionFacts } from '../coordination/agents/session-state.ts';
import type { TreeFacts } from '../coordination/agents/tree.ts';
import { LastShared, type ShareChanges } from '../coordination/hosts/last-shared.ts';
import type { ObservationBatch } from '../coordination/observers/contract.ts';
import type { TreeChanges } from '../coordination/trees/overlaps.ts';
import { dayMs, iso } from '../kernel/clock.ts';
import { SentChanges } from './sent-changes.ts';

export type Observed = {
  sessions: readonly SessionFacts[];
  trees: readonly TreeFacts[];
  /** The changes of the live trees. */
  changes: readonly TreeChanges[];
};

export type Message = {
  batch: ObservationBatch;
  changes: ShareChanges;
  /** Not everything fitted: the rest must be sent at once. */
  isCut: boolean;
};

/** The board shows sessions of the last seven days, and live ones. */
const shownMs = 7 * dayMs;
const maxItems = 1_000;

/** The next message of an observer: everything at first and after each failure, otherwise only the changes. */
export class Outbox {
  readonly #identity: Pick<ObservationBatch, 'observer' | 'life' | 'version' | 'enter'>;
  #sent = new LastShared();
  #sentChanges = new SentChanges();
  #sendsChanges = true;
  #sequence = 0;
  #isWhole = true;

  constructor(identity: Pick<ObservationBatch, 'observer' | 'life' | 'version' | 'enter'>) {
    this.#identity = identity;
  }

  /** Null if nothing changed and no heartbeat is due. */
  next(observed: Observed, wall: number, isDue: boolean): Message | null {
    if (this.#isWhole) {
      this.#sent = new LastShared();
      this.#sentChanges = new SentChanges();
    }
    const sessions = newestFirst(observed.sessions, wall).slice(0, maxItems);
    const changes = this.#sent.changesSince({
      session: sessions.map((one) => [one.sessionId, one] as const),
      tree: observed.trees.slice(0, maxItems).map((one) => [one.root, one] as const),
    });
    const { changed, gone } = changes;
    const { isCut, ...ofTrees } = this.#sentChanges.next(this.#sendsChanges ? observed.changes : []);
    const isNew = changed.length + gone.length + Object.values(ofTrees).flat().length > 0;
    if (!this.#isWhole && !isDue && !isNew) return null;
    const bodies = new Set(changed.map(({ body }) => body));
    const idsOf = (kind: string) => gone.filter((key) => key.kind === kind).map(({ id }) => id);
    const { life, observer, version, enter } = this.#identity;
    this.#sequence += 1;
    return {
      changes,
      isCut,
      batch: {
        observer,
        life,
        sequence: this.#sequence,
        sentAt: iso(wall),
        ...(this.#isWhole && { whole: true, version, enter }),
        sessions: sessions.filter((one) => bodies.has(one)).map(withoutHost),
        trees: observed.trees.filter((one) => bodies.has(one)).map(withoutHost),
        goneSessions: idsOf('session'),
        goneTrees: idsOf('tree'),
        ...(this.#sendsChanges && ofTrees),
      },
    };
  }

  sent(changes: ShareChanges, resend: boolean): void {
    this.#isWhole = resend;
    this.#sent.recordWritten(changes);
  }

  /** It is unknown whether the service received it, so everything is sent again. */
  failed(): void {
    this.#isWhole = true;
  }

  /** Stops sending changes, for a service that does not accept them. */
  leaveOutChanges(): void {
    this.#sendsChanges = false;
  }

  last(wall: number): ObservationBatch {
    const { life, observer } = this.#identity;
    return { observer, life, sequence: this.#sequence + 1, sentAt: iso(wall), whole: true, leaves: true };
  }
}

const withoutHost = <Facts extends { host: string }>({ host: _, ...facts }: Facts): Omit<Facts, 'host'> => facts;

const newestFirst = (sessions: readonly SessionFacts[], wall: number): SessionFacts[] =>
  sessions
    .filter(({ live, lastActivityAt }) => live || wall - Date.parse(lastActivityAt ?? '') < shownMs)
    .sort((a, b) => Number(b.live) - Number(a.live) || ((a.lastActivityAt ?? '') < (b.lastActivityAt ?? '') ? 1 : -1));
