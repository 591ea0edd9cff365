import type { Proofs } from '../run-contract/declarations.ts';

/** How long an answer waits for evidence, in case the database hangs. */
const settleAtMostMs = 5_000;

/** The proofs by runs in this process: set once coordination is open, null without coordination. */
export class ProofsOfProcess {
  readonly #attached = Promise.withResolvers<Proofs | null>();
  #now: Proofs | null = null;

  constructor(known?: Proofs | null) {
    if (known !== undefined) this.attach(known);
  }

  get now(): Proofs | null {
    return this.#now;
  }

  attach(proofs: Proofs | null): void {
    this.#now = proofs;
    this.#attached.resolve(proofs);
  }

  async settle(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, settleAtMostMs, false).unref();
    });
    const settled = this.#attached.promise.then((proofs) => proofs?.settle() ?? true);
    return Promise.race([settled, late]).finally(() => clearTimeout(timer));
  }
}
