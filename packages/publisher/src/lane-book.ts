import { guarded } from './guard.ts';
import type { Test } from './identity.ts';
import type { Publisher } from './publisher.ts';

type Pass = { at: number; tests: Test[]; handed: number; told: number; timer: boolean };

/** At most this many of the latest tests are listed for a pass of a lane; runners that distribute tests one by one may have thousands. */
const named = 50;
const tellMs = 200;

/**
 * Lanes whose tests become known one by one: a pass is sent again as it grows, with its start time. The console treats it as the same pass.
 */
export class LaneBook {
  readonly #publisher: Publisher;
  readonly #passes = new Map<number, Pass>();

  constructor(publisher: Publisher) {
    this.#publisher = publisher;
  }

  start(lane: number): void {
    const pass = { at: Date.now(), tests: [], handed: 0, told: 0, timer: false };
    this.#passes.set(lane, pass);
    this.#tell(lane, pass);
  }

  add(lane: number, test: Test): void {
    const pass = this.#passes.get(lane);
    if (!pass || pass.tests.at(-1)?.uid === test.uid) return;
    pass.handed++;
    pass.tests = [...pass.tests.slice(1 - named), test];
    if (Date.now() - pass.told >= tellMs) this.#tell(lane, pass);
    else this.#tellLater(lane, pass);
  }

  end(lane: number, crashed = false): void {
    const pass = this.#passes.get(lane);
    if (!pass) return;
    this.#passes.delete(lane);
    const under = crashed ? pass.tests.filter((test) => !this.#publisher.ended(test)).length : 0;
    this.#tell(lane, pass);
    this.#publisher.endLane(lane, Math.max(0, pass.handed - under), crashed);
  }

  endAll(): void {
    for (const lane of [...this.#passes.keys()]) this.end(lane);
  }

  #tell(lane: number, pass: Pass): void {
    pass.told = Date.now();
    this.#publisher.startLane(lane, pass.tests, pass.at);
  }

  #tellLater(lane: number, pass: Pass): void {
    if (pass.timer) return;
    pass.timer = true;
    const tell = () => {
      pass.timer = false;
      if (this.#passes.get(lane) === pass) this.#tell(lane, pass);
    };
    setTimeout(() => guarded(tell, undefined), tellMs).unref();
  }
}
