import type { Test } from './identity.ts';

/** One test with this name, and how often its end was reported. */
type Tried = { test: Test; invocations: number; state: 'open' | 'failed' | 'done' };

/** The test and the attempt that a start or a verdict belongs to, if several tests may share the name. */
export type Meant = { test: Test; attempt: number };

/**
 * Events of Jest carry only the name of a test. For two tests of one name, or two attempts of one test, the verdict's count of invocations decides which is meant; an ambiguous start waits for its verdict.
 */
export class NameGroup {
  readonly #make: () => Test;
  readonly #tried: Tried[] = [];

  constructor(make: () => Test) {
    this.#make = make;
  }

  /** Null if it is not known yet which test begins. */
  started(): Meant | null {
    if (this.#tried.some(({ state }) => state !== 'done')) return null;
    return this.#add('open');
  }

  /** `begun`: whether its start was already reported. */
  ended(invocations: number, failed: boolean): Meant & { begun: boolean } {
    const state = failed ? 'failed' : 'done';
    const open = this.#tried.find((tried) => tried.state === 'open' && tried.invocations < invocations);
    const again = this.#tried.find((tried) => tried.state === 'failed' && tried.invocations + 1 === invocations);
    const tried = open ?? (invocations > 1 ? again : undefined);
    if (!tried) return { ...this.#add(state, invocations), begun: false };
    Object.assign(tried, { invocations, state });
    return { test: tried.test, attempt: invocations, begun: tried === open };
  }

  /** All tests of this name in the order of the sources. */
  tests(): Test[] {
    return this.#tried.map(({ test }) => test);
  }

  #add(state: Tried['state'], invocations = 0): Meant {
    const test = this.#make();
    this.#tried.push({ test, invocations, state });
    return { test, attempt: Math.max(1, invocations) };
  }
}
