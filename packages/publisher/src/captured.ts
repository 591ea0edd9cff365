import { guarded } from './guard.ts';
import { Output, type Printed, type Stream } from './output.ts';

const streams = ['stdout', 'stderr'] as const;
type Write = typeof process.stdout.write;

/**
 * Captures what this process prints while a test runs; everything is still printed. For frameworks
 * that run tests in the reporter's process.
 */
export class Captured {
  #output: Output | null = null;
  readonly #writes = new Map<Stream, { own: Write; before: Write }>();

  constructor() {
    for (const stream of streams) guarded(() => this.#listen(stream), undefined);
  }

  begin(): void {
    this.#output = new Output();
  }

  end(): readonly Printed[] {
    const printed = this.#output?.take() ?? [];
    this.#output = null;
    return printed;
  }

  /** Restores the streams, unless somebody else replaced them since. */
  stop(): void {
    this.#output = null;
    for (const [stream, { own, before }] of this.#writes) {
      if (process[stream].write === own) process[stream].write = before;
    }
  }

  #listen(stream: Stream): void {
    const before = process[stream].write;
    const own = ((...args: Parameters<Write>) => {
      const [chunk] = args as [string | Uint8Array];
      if (this.#output) guarded(() => this.#output?.add(textOf(chunk), stream), undefined);
      return before.apply(process[stream], args);
    }) as Write;
    process[stream].write = own;
    this.#writes.set(stream, { own, before });
  }
}

const textOf = (chunk: string | Uint8Array): string =>
  typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
