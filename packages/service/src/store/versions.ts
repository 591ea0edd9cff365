import type { Append } from '../kernel/event-log.ts';
import { storable } from './storable.ts';

/** Thrown to the one caller who named a version that the stream no longer has. */
export class VersionConflict extends Error {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;

  constructor(stream: string, expected: number, actual: number) {
    super(`The stream ${stream} is at version ${actual}, not ${expected}. Read it again and decide anew.`);
    this.name = 'VersionConflict';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The version each stream has reached; a stream without events is at 0. */
export class StreamVersions {
  readonly #reached = new Map<string, number>();

  of(stream: string): number {
    return this.#reached.get(storable(stream)) ?? 0;
  }

  reach(stream: string, version: number): void {
    this.#reached.set(stream, version);
  }

  clear(): void {
    this.#reached.clear();
  }

  /** Throws unless every append that names a version names the one its stream has. */
  check(appends: readonly Append[]): void {
    for (const { stream, expectedVersion } of appends) {
      if (expectedVersion === undefined || expectedVersion === this.of(stream)) continue;
      throw new VersionConflict(stream, expectedVersion, this.of(stream));
    }
  }
}
