import { type ImportedTest, importedTest, outsideTests } from './imported-run.ts';
import { type ResultStream, type StreamNews, Tail } from './result-stream.ts';

/** Limits that are enough to identify a path or a panic. */
const longestName = 500;
const longestPanic = 4_000;

const verdict = /^test (.+?) \.\.\. (ok|FAILED|ignored|bench:)(?:, (.*))?/;
const unfinished = /^test (.+?) \.\.\. /;
const began = /^running (\d+) tests?$/;
/** `     Running tests/cart.rs (target/debug/deps/cart-56f7c27)` and `   Doc-tests shop`, on standard error. */
const target = /^ +(?:Running (?:unittests )?(\S+) \((\S+)\)|(Doc-tests \S+))/;
const detail = /^---- (.+) (?:stdout|stderr) ----$/;
const ended = /^test result: (\w+)\. (\d+) passed; (\d+) failed;/;
const outcomes = { ok: 'CleanPass', FAILED: 'Failed', ignored: 'Skipped', 'bench:': 'CleanPass' } as const;

type Binary = { feature: string; due: number; seen: number; failed: Map<string, { test: ImportedTest; text: Tail }> };

/**
 * The output of `cargo test`: the tests of each binary, then its failures. Standard error names the binaries in the
 * same order; the tests wait for the name.
 */
export class LibtestStream implements ResultStream {
  readonly #targets: string[] = [];
  readonly #waiting: string[] = [];
  #binary: Binary | null = null;
  #open: string | null = null;
  #telling: Tail | null = null;
  #hasTargets = false;

  line(text: string, from: 'stdout' | 'stderr'): StreamNews[] {
    if (from === 'stdout') {
      this.#waiting.push(text);
      return this.#drain();
    }
    const [, file, binary = '', docs] = target.exec(text) ?? [];
    if (file === undefined && docs === undefined) return [];
    // Each crate of a workspace has its own `src/lib.rs`; the binary is named after the crate.
    // bounded by longestName
    const crate = /([^/\\]+)-[0-9a-f]+(?:\.exe)?$/.exec(binary.slice(-longestName))?.[1];
    const named = docs ?? (crate === undefined ? (file ?? '') : `${crate} ${file}`);
    this.#hasTargets = true;
    this.#targets.push(named);
    return this.#drain();
  }

  end(): StreamNews[] {
    this.#targets.push(...(this.#hasTargets ? ['', ''] : []));
    return [...this.#drain(true), ...this.#close()];
  }

  #drain(isLast = false): StreamNews[] {
    const news: StreamNews[] = [];
    while (this.#waiting.length > 0) {
      const [text = ''] = this.#waiting;
      // Without cargo no line names a binary; cargo prints its first line before any test.
      if (began.test(text) && this.#targets.length === 0 && this.#hasTargets && !isLast) break;
      this.#waiting.shift();
      news.push(...this.#read(text));
    }
    return news;
  }

  #read(text: string): StreamNews[] {
    const due = began.exec(text)?.[1];
    if (due !== undefined) {
      const before = this.#close();
      this.#binary = { feature: this.#targets.shift() ?? '', due: Number(due), seen: 0, failed: new Map() };
      return before;
    }
    if (!this.#binary) return [];
    if (ended.test(text)) return this.#close();
    const of = detail.exec(text)?.[1];
    if (of !== undefined) this.#telling = this.#binary.failed.get(of)?.text ?? null;
    else if (text === 'failures:') this.#telling = null;
    else if (this.#telling) this.#telling.add(`${text}\n`);
    else return this.#test(this.#binary, text);
    return [];
  }

  #test(binary: Binary, text: string): StreamNews[] {
    const [, whole, word, reason] = verdict.exec(text) ?? [];
    const name = whole ?? (/^(?:ok|FAILED)$/.test(text) ? this.#open : null);
    if (name === null || name === undefined) {
      // With --nocapture, a test's output comes between its name and its verdict.
      this.#open = unfinished.exec(text)?.[1] ?? this.#open;
      return [];
    }
    this.#open = null;
    binary.seen += 1;
    const outcome = outcomes[(word ?? text) as keyof typeof outcomes];
    const plain = name.replace(/ - should panic$/, '');
    const message = outcome === 'Skipped' ? (reason ?? null) : null;
    const test = importedTest({ feature: binary.feature, name: plain, outcome, message });
    if (outcome !== 'Failed') return [{ ended: test }];
    binary.failed.set(plain, { test, text: new Tail() });
    return [{ started: { feature: binary.feature, name: plain } }];
  }

  #close(): StreamNews[] {
    const binary = this.#binary;
    if (!binary) return [];
    this.#binary = null;
    this.#telling = null;
    const news: StreamNews[] = [...binary.failed.values()].map(({ test, text }) => ({
      ended: { ...test, ...rustFailure(text.text()) },
    }));
    if (binary.seen < binary.due) {
      const open = this.#open === null ? '' : ` ${this.#open} was running.`;
      const said = `Only ${binary.seen} of ${binary.due} tests have a verdict: the binary died.${open}`;
      news.push({ ended: outsideTests(binary.feature, '(binary)', said) });
    }
    this.#open = null;
    return news;
  }
}

/** `panicked at src/lib.rs:10:9:` with its message in the next lines, or before 1.73 in quotes before the place. */
export function rustFailure(text: string): Pick<ImportedTest, 'message' | 'stackTrace' | 'file' | 'line' | 'stdout'> {
  const lines = text.trimEnd().split('\n');
  const at = lines.findIndex((line) => / panicked at /.test(line));
  const said = lines[at] ?? '';
  const now = / panicked at ([^\s:]+):(\d+):\d+:$/.exec(said);
  // bounded by longestPanic
  const before = / panicked at '(.*)', ([^\s:]+):(\d+):\d+$/.exec(said.slice(0, longestPanic));
  const note = /^note: test did not panic as expected(?: at ([^\s:]+):(\d+))?/.exec(
    lines.find((line) => line.startsWith('note: test did')) ?? '',
  );
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^(?:stack backtrace:|note: )/.test(line));
  const message = now
    ? rest
        .slice(0, end < 0 ? undefined : end)
        .join('\n')
        .trim()
    : (before?.[1] ??
      (note ? 'test did not panic as expected' : (lines.findLast((line) => line.trim() !== '') ?? null)));
  const [file, line] = now ? [now[1], now[2]] : before ? [before[2], before[3]] : note ? [note[1], note[2]] : [];
  return {
    message,
    stackTrace: text.trim() || null,
    file: file ?? null,
    line: line === undefined ? null : Number(line),
    ...(text.trim() !== '' && { stdout: text.trimEnd() }),
  };
}

export const isLibtest = (content: string): boolean =>
  /^running \d+ tests?$/m.test(content) && /^test result: /m.test(content);
