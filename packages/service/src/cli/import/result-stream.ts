import type { ImportedRun, ImportedTest } from './imported-run.ts';

/** The test events in one line of a runner's output. */
export type StreamNews = { started: { feature: string; name: string } } | { ended: ImportedTest };

/** Reads what a runner prints, line by line, while it runs. Results that are known only later are returned at the end. */
export type ResultStream = {
  line(text: string, from: 'stdout' | 'stderr'): StreamNews[];
  end(): StreamNews[];
  /** Whether all announced tests have arrived, if the format announces them. */
  isComplete?(): boolean;
};

/** All tests of a complete text, in the order in which they began. */
export function testsIn(stream: ResultStream, lines: readonly string[]): ImportedTest[] {
  const places: { key: string; test: ImportedTest | null }[] = [];
  const waiting = new Map<string, number[]>();
  for (const news of [...lines.flatMap((line) => stream.line(line, 'stdout')), ...stream.end()]) {
    const { feature, name } = 'ended' in news ? news.ended : news.started;
    const key = `${feature}/${name}`;
    const test = 'ended' in news ? news.ended : null;
    const at = test ? waiting.get(key)?.shift() : undefined;
    if (at !== undefined) places[at] = { key, test };
    else if (places.push({ key, test }) && !test) waiting.set(key, [...(waiting.get(key) ?? []), places.length - 1]);
  }
  return places.flatMap(({ test }) => test ?? []);
}

/** A run with only its tests known. */
export const runOf = (tests: ImportedTest[]): ImportedRun => ({
  suite: '',
  startedAtMs: null,
  stoppedAtMs: null,
  tests,
});

const outputAtMost = 64 * 1024;

/** The last part of the output. */
export class Tail {
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * outputAtMost) this.#text = this.#text.slice(-outputAtMost);
  }

  text(): string {
    return this.#text.slice(-outputAtMost);
  }
}
