import { plain } from './text.ts';

export type Stream = 'stdout' | 'stderr';
/** What was printed at once. A bare text went to standard output. */
export type Printed = string | { text: string; stream: Stream };

/** Of what one attempt printed so much is told, its end. */
export const outputBytes = 65_536;
const lineLength = 4_000;

/** Collects what a test prints, without ever holding much more than is told. */
export class Output {
  #parts: { text: string; stream: Stream }[] = [];
  #size = 0;

  add(text: string, stream: Stream = 'stdout'): void {
    const kept = text.length > outputBytes ? text.slice(-outputBytes) : text;
    this.#parts.push({ text: kept, stream });
    this.#size += kept.length;
    if (this.#size > 2 * outputBytes || this.#parts.length > 20_000) this.#shrink();
  }

  /** What is there so far. */
  parts(): readonly { text: string; stream: Stream }[] {
    return [...this.#parts];
  }

  take(): readonly { text: string; stream: Stream }[] {
    const parts = this.#parts;
    this.#parts = [];
    this.#size = 0;
    return parts;
  }

  #shrink(): void {
    let from = this.#parts.length;
    for (let size = 0; from > 0 && size < outputBytes && this.#parts.length - from < 10_000; from--) {
      size += this.#parts[from - 1]?.text.length ?? 0;
    }
    this.#parts = this.#parts.slice(from);
    this.#size = this.#parts.reduce((sum, { text }) => sum + text.length, 0);
  }
}

/** The last lines of each stream, within the bound together. */
export function linesOf(printed: readonly Printed[]): Record<Stream, string[]> {
  const parts = printed.map((part) => (typeof part === 'string' ? { text: part, stream: 'stdout' as const } : part));
  const of = (stream: Stream) =>
    parts
      .filter((part) => part.stream === stream)
      .map(({ text }) => text)
      .join('');
  const stderr = lastLines(of('stderr'), outputBytes);
  const left = outputBytes - stderr.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return { stdout: lastLines(of('stdout'), left), stderr };
}

/** What a step shows of it; null where nothing was printed. */
export function logLines(output: readonly Printed[], atMost = 200): string[] | null {
  const { stdout, stderr } = linesOf(output);
  const lines = [...stdout, ...stderr].slice(-atMost);
  return lines.length === 0 ? null : lines;
}

function lastLines(text: string, bytes: number): string[] {
  if (text === '') return [];
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const lines: string[] = [];
  let room = bytes;
  for (let at = all.length - 1; at >= 0; at--) {
    const line = plain(all[at] ?? '', lineLength);
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) return [`… ${at + 1} earlier lines left out`, ...lines.reverse()];
    lines.push(line);
  }
  return lines.reverse();
}

/** Everything printed, as one text. */
export const textOf = (output: readonly Printed[]): string =>
  output.map((part) => (typeof part === 'string' ? part : part.text)).join('');
