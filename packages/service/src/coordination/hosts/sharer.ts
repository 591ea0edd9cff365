import type { Entering, HostTable } from '../../kernel/host-table.ts';
import { Refused } from '../../kernel/outcome.ts';
import { oneAtATime } from '../agents/one-at-a-time.ts';
import type { Kind } from './contract.ts';
import { inPieces, type Observed, ShareBook } from './share.ts';

export type SharerOptions = {
  table: HostTable;
  me: Entering;
  /** Everything of these kinds that this host observes; null while it does not know yet. */
  observe: (kinds: ReadonlySet<Kind>) => Promise<Observed | null>;
  warn: (details: object, text: string) => void;
};

export const everything: readonly Kind[] = ['session', 'tree', 'run', 'verdict', 'model', 'clone'];

/** Writes what this host observes: all of it at first, then what has changed. */
export class Sharer {
  readonly #options: SharerOptions;
  readonly #book = new ShareBook();
  readonly #touched = new Set<Kind>(everything);
  readonly #turns = oneAtATime(() => this.#turn());
  #url: string | null = null;
  #begun = false;
  #displaced = false;
  #beats = false;

  constructor(options: SharerOptions) {
    this.#options = options;
  }

  touch(...kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#touched.add(kind);
  }

  reachedAt(url: string): void {
    this.#url = url;
    void this.beat();
  }

  share = (): Promise<void> => this.#turns.run();

  /** Shares, and gives a sign of life even where nothing has changed. */
  beat(): Promise<void> {
    this.#beats = true;
    return this.#turns.run();
  }

  settled = (): Promise<void> => this.#turns.settled();

  async #turn(): Promise<void> {
    const always = this.#beats;
    this.#beats = false;
    if (this.#touched.size === 0 && !always) return;
    const kinds = new Set(this.#touched);
    this.#touched.clear();
    try {
      if (!(await this.#send(kinds, always))) await this.#comeBack();
    } catch (err) {
      // Nothing is lost: it is news again. That the store is away is told elsewhere.
      if (!(err instanceof Refused)) this.#options.warn({ err }, 'what this host observes could not be shared');
      this.touch(...kinds);
    }
  }

  async #send(kinds: ReadonlySet<Kind>, always: boolean): Promise<boolean> {
    const { table, me, observe } = this.#options;
    const observed = kinds.size > 0 ? await observe(kinds) : {};
    if (observed === null) this.touch(...kinds);
    else if (!this.#begun) {
      this.#book.begin(await table.itemsOf(me.name));
      this.#begun = true;
    }
    for (const news of inPieces(this.#book.news(observed ?? {}))) {
      if (!always && news.changed.length + news.gone.length === 0) continue;
      if (!(await table.share({ host: me.name, life: me.life, url: this.#url, ...news }))) return false;
      this.#book.wrote(news);
    }
    this.#displaced = false;
    return true;
  }

  /** The row is gone, or belongs to another life: that of a namesake that came while this host was away. */
  async #comeBack(): Promise<void> {
    const { table, me, warn } = this.#options;
    this.#begun = false;
    this.touch(...everything);
    const taken = await table.enter(me);
    if (taken && !this.#displaced) {
      warn(
        { host: me.name },
        `Another host is called ${me.name} (${taken.takenBy}); what this one sees is not shared.`,
      );
    }
    this.#displaced = taken !== null;
  }
}
