import { parsedJson } from '../../kernel/parsed-json.ts';
import { GoTestStream, isGoEvent } from './go-test.ts';
import { LibtestStream } from './libtest.ts';
import { isLibtestEvent, LibtestJsonStream } from './libtest-json.ts';
import { readResults } from './read-results.ts';
import type { ResultStream, StreamNews } from './result-stream.ts';
import { TapStream } from './tap.ts';
import { TeamcityStream } from './teamcity.ts';

const largest = 64 * 1024 * 1024;

/** Results that a command prints, in any format: line formats are read live, others at the end. */
export class PrintedResults implements ResultStream {
  #stream: ResultStream | null = null;
  #before: { text: string; from: 'stdout' | 'stderr' }[] = [];
  #size = 0;

  /** Why the output is not read; null if it is. */
  get unread(): string | null {
    if (this.#stream) return null;
    return this.#size > largest ? 'what the command printed is longer than 64 MB' : this.#fault;
  }

  #fault: string | null = null;

  line(text: string, from: 'stdout' | 'stderr'): StreamNews[] {
    if (this.#stream) return this.#stream.line(text, from);
    this.#size += text.length;
    if (this.#size <= largest) this.#before.push({ text, from });
    else this.#before = [];
    const stream = from === 'stdout' ? streamFor(text) : null;
    if (!stream) return [];
    this.#stream = stream;
    return this.#before.splice(0).flatMap((one) => stream.line(one.text, one.from));
  }

  end(): StreamNews[] {
    if (this.#stream) return this.#stream.end();
    const printed = this.#before.filter(({ from }) => from === 'stdout').map(({ text }) => text);
    try {
      const read = readResults(printed.join('\n'));
      return 'run' in read ? read.run.tests.map((test) => ({ ended: test })) : [];
    } catch (fault) {
      this.#fault = fault instanceof Error ? fault.message.replace('the file', 'what the command printed') : null;
      return [];
    }
  }
}

const tapStart = /^(?:TAP version \d+|1\.\.\d+|(?:not )?ok \d+|\S+\.t \.{2,})/;

function streamFor(line: string): ResultStream | null {
  if (line.startsWith('{')) {
    const event = parsedJson(line);
    if (isGoEvent(event)) return new GoTestStream();
    return isLibtestEvent(event) ? new LibtestJsonStream() : null;
  }
  if (line.startsWith('##teamcity[test')) return new TeamcityStream();
  if (/^running \d+ tests?$/.test(line)) return new LibtestStream();
  return tapStart.test(line) ? new TapStream() : null;
}
