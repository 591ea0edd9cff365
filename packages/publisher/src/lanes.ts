/** Lanes for runners that do not report them: each file takes the lowest free lane, so their number is exact. */
export class Lanes {
  readonly #taken: (string | undefined)[] = [];

  take(file: string): number {
    const known = this.#taken.indexOf(file);
    if (known >= 0) return known;
    const free = this.#taken.indexOf(undefined);
    const lane = free >= 0 ? free : this.#taken.length;
    this.#taken[lane] = file;
    return lane;
  }

  of(file: string): number | null {
    const lane = this.#taken.indexOf(file);
    return lane < 0 ? null : lane;
  }

  free(file: string): void {
    const lane = this.#taken.indexOf(file);
    if (lane >= 0) this.#taken[lane] = undefined;
  }
}
