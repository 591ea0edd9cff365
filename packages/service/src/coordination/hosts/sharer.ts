import type { HostRegistration, HostTable } from '../../kernel/host-table.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { RefusedError } from '../../kernel/outcome.ts';
import type { SharedKind } from './contract.ts';
import { inBatches, LastShared, type ObservedItems } from './last-shared.ts';
import { sharedKinds } from './shared-item.ts';

export type SharerOptions = {
  table: HostTable;
  self: HostRegistration;
  /** Everything of these kinds that this host observes; null before the first observation. */
  observe: (kinds: ReadonlySet<SharedKind>) => Promise<ObservedItems | null>;
  warn: (details: object, text: string) => void;
};

/** Writes what this host observes: everything at first, then only changes. */
export class Sharer {
  readonly #options: SharerOptions;
  readonly #lastShared = new LastShared();
  readonly #changedKinds = new Set<SharedKind>(sharedKinds);
  readonly #queue = coalesced(() => this.#shareOnce());
  #url: string | null = null;
  #isLoaded = false;
  #isNameTaken = false;
  #heartbeatDue = false;

  constructor(options: SharerOptions) {
    this.#options = options;
  }

  markChanged(...kinds: readonly SharedKind[]): void {
    for (const kind of kinds) this.#changedKinds.add(kind);
  }

  /** The store was replaced: it may contain what this host shared at another time. */
  shareAgain(): void {
    this.#isLoaded = false;
    this.markChanged(...sharedKinds);
  }

  announceUrl(url: string): void {
    this.#url = url;
    void this.sendHeartbeat();
  }

  share = (): Promise<void> => this.#queue.run();

  /** Shares changes, and sends a heartbeat even if nothing has changed. */
  sendHeartbeat(): Promise<void> {
    this.#heartbeatDue = true;
    this.markChanged('host');
    return this.#queue.run();
  }

  settled = (): Promise<void> => this.#queue.settled();

  async #shareOnce(): Promise<void> {
    const always = this.#heartbeatDue;
    this.#heartbeatDue = false;
    if (this.#changedKinds.size === 0 && !always) return;
    const kinds = new Set(this.#changedKinds);
    this.#changedKinds.clear();
    try {
      if (!(await this.#send(kinds, always))) await this.#enterAgain();
    } catch (err) {
      // Nothing is lost, because the items are sent again. An unavailable store is reported elsewhere.
      if (!(err instanceof RefusedError)) this.#options.warn({ err }, 'cannot share what this host observes');
      this.#isLoaded = false;
      this.markChanged(...kinds);
    }
  }

  async #send(kinds: ReadonlySet<SharedKind>, always: boolean): Promise<boolean> {
    const { table, self, observe } = this.#options;
    const observed = kinds.size > 0 ? await observe(kinds) : {};
    if (observed === null) this.markChanged(...kinds);
    else if (!this.#isLoaded) {
      // Set first, so that a replacement of the store during the read causes another read.
      this.#isLoaded = true;
      this.#lastShared.reset(await table.itemsOf(self.name));
    }
    for (const changes of inBatches(this.#lastShared.changesSince(observed ?? {}))) {
      if (!always && changes.changed.length + changes.gone.length === 0) continue;
      if (!(await table.share({ host: self.name, life: self.life, url: this.#url, ...changes }))) return false;
      this.#lastShared.recordWritten(changes);
    }
    this.#isNameTaken = false;
    return true;
  }

  /** The row is gone, or another host took this name while this one was away. */
  async #enterAgain(): Promise<void> {
    const { table, self, warn } = this.#options;
    this.shareAgain();
    const conflict = await table.enter(self);
    if (conflict && !this.#isNameTaken) {
      warn(
        { host: self.name },
        `Another host uses the name ${self.name} (${conflict.takenBy}), so this host shares nothing. Choose another Service:HostName.`,
      );
    }
    this.#isNameTaken = conflict !== null;
  }
}
