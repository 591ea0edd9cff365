import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ResultStream, StreamNews } from '../import/result-stream.ts';
import { quietly } from '../quietly.ts';
import type { KnownRunner } from './known-runner.ts';
import { OutputLines } from './output-lines.ts';

type Grown = { stream: ResultStream; lines: OutputLines; offset: number };
const chunkBytes = 256 * 1024;

/** Follows the files that a runner writes while it runs. */
export class GrownFiles {
  readonly #feeds: KnownRunner['feeds'];
  readonly #files = new Map<string, Grown>();

  constructor(feeds: KnownRunner['feeds']) {
    this.#feeds = feeds;
  }

  read(): StreamNews[] {
    return this.#feeds.flatMap(({ path, open }) =>
      filesIn(path).flatMap((file) => {
        const known = this.#files.get(file) ?? {
          stream: open(relative(path, file)),
          lines: new OutputLines(),
          offset: 0,
        };
        this.#files.set(file, known);
        return piecesOf(file, known).flatMap((piece) =>
          known.lines.take(piece).flatMap((line) => known.stream.line(line, 'stdout')),
        );
      }),
    );
  }

  get isComplete(): boolean {
    const files = [...this.#files.values()];
    return files.length > 0 && files.every(({ stream }) => stream.isComplete?.() ?? true);
  }

  /** The standard error of one of them. */
  aside(text: string): void {
    for (const { stream } of this.#files.values()) stream.line(text, 'stderr');
  }

  end(aside: readonly string[]): StreamNews[] {
    const news = this.read();
    for (const line of aside) this.aside(line);
    const rest = [...this.#files.values()].flatMap(({ stream, lines }) => [
      ...lines.last().flatMap((line) => stream.line(line, 'stdout')),
      ...stream.end(),
    ]);
    return [...news, ...rest];
  }
}

function* pieces(file: string, grown: Grown): Iterable<Buffer> {
  const handle = openSync(file, 'r');
  try {
    for (;;) {
      const piece = Buffer.alloc(chunkBytes);
      const size = readSync(handle, piece, 0, chunkBytes, grown.offset);
      if (size === 0) return;
      grown.offset += size;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(handle);
  }
}

const piecesOf = (file: string, grown: Grown): Buffer[] => quietly(() => [...pieces(file, grown)], []);

function filesIn(path: string): string[] {
  const found = quietly(() => statSync(path), null);
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  const entries = quietly(() => readdirSync(path, { recursive: true, withFileTypes: true }), []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
