/** Smaller work never waits. */
const smallBytes = 64 * 1024;

/** Limits how many bytes are processed at the same time, in the order of arrival. A single piece of work may be larger. */
export class BytesAtOnce {
  readonly #most: number;
  readonly #waiting: Array<{ bytes: number; begin: () => void }> = [];
  #underWay = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async run<Answer>(bytes: number, work: () => Promise<Answer>): Promise<Answer> {
    if (bytes <= smallBytes) return work();
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }));
    } else this.#underWay += bytes;
    try {
      return await work();
    } finally {
      this.#underWay -= bytes;
      this.#beginNext();
    }
  }

  #fits(bytes: number): boolean {
    return this.#underWay === 0 || this.#underWay + bytes <= this.#most;
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#underWay += next.bytes;
      next.begin();
    }
  }
}
