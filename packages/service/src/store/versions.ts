import { storable } from './storable.ts';

/** The version each stream has reached; a stream without events is at 0. */
export class StreamVersions {
  readonly #reached = new Map<string, number>();

  of(stream: string): number {
    return this.#reached.get(storable(stream)) ?? 0;
  }

  reach(stream: string, version: number): void {
    this.#reached.set(stream, version);
  }

  all(): Iterable<readonly [stream: string, version: number]> {
    return this.#reached;
  }

  clear(): void {
    this.#reached.clear();
  }
}
