import { plain } from './text.ts';

export type Stream = 'stdout' | 'stderr';
type Part = {
  text: string;
  stream: Stream /** The time when it was printed, in milliseconds since 1970, if known. */;
  atMs?: number;
};
/** One write of output. A plain string went to standard output. */
export type Printed = string | Part;
/** A line and the time when it began. */
type Line = { text: string; atMs: number | null };

/** The size of the end of an attempt's output that is sent. */
export const outputBytes = 65_536;
const lineLength = 4_000;

/** Collects the output of a test, without keeping much more than is sent. */
export class Output {
  #parts: Part[] = [];
  #size = 0;

  add(text: string, stream: Stream = 'stdout', atMs: number = Date.now()): void {
    const kept = text.length > outputBytes ? text.slice(-outputBytes) : text;
    this.#parts.push({ text: kept, stream, atMs });
    this.#size += kept.length;
    if (this.#size > 2 * outputBytes || this.#parts.length > 20_000) this.#shrink();
  }

  /** The output so far. */
  parts(): readonly Part[] {
    return [...this.#parts];
  }

  take(): readonly Part[] {
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

/** The last lines of all streams, within the common limit. */
export function linesOf(printed: readonly Printed[]): Record<Stream, string[]> {
  const { stdout, stderr } = timedLinesOf(printed);
  return { stdout: stdout.map(({ text }) => text), stderr: stderr.map(({ text }) => text) };
}

/** The same with the time of each line. */
function timedLinesOf(printed: readonly Printed[]): Record<Stream, Line[]> {
  const parts = printed.map((part): Part => (typeof part === 'string' ? { text: part, stream: 'stdout' } : part));
  const of = (stream: Stream) => parts.filter((part) => part.stream === stream);
  const stderr = lastLines(of('stderr'), outputBytes);
  const left = outputBytes - stderr.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
  return { stdout: lastLines(of('stdout'), left), stderr };
}

type PrintedMembers = { stdout?: string[]; stderr?: string[]; stdoutMs?: number[]; stderrMs?: number[] };

/**
 * The output in the format of a verdict; times since the start of the attempt are included only if every line has one.
 */
export function printedMembers(printed: readonly Printed[], since: number): PrintedMembers {
  const { stdout, stderr } = timedLinesOf(printed);
  const isTimed = [...stdout, ...stderr].every(({ atMs }) => atMs !== null);
  const texts = (lines: readonly Line[]) => lines.map(({ text }) => text);
  const times = (lines: readonly Line[]) => lines.map(({ atMs }) => Math.max(0, Math.round((atMs ?? since) - since)));
  return {
    ...(stdout.length > 0 && { stdout: texts(stdout), ...(isTimed && { stdoutMs: times(stdout) }) }),
    ...(stderr.length > 0 && { stderr: texts(stderr), ...(isTimed && { stderrMs: times(stderr) }) }),
  };
}

/** The text for a step; null if nothing was printed. */
export function logLines(output: readonly Printed[], atMost = 200): string[] | null {
  const { stdout, stderr } = linesOf(output);
  const lines = [...stdout, ...stderr].slice(-atMost);
  return lines.length === 0 ? null : lines;
}

function lastLines(parts: readonly Part[], bytes: number): Line[] {
  const all = splitLines(parts);
  const lines: Line[] = [];
  let room = bytes;
  for (const [at, { text, atMs }] of [...all.entries()].reverse()) {
    const line = { text: plain(text, lineLength), atMs };
    room -= Buffer.byteLength(line.text) + 1;
    if (room < 0) return [{ text: `… ${at + 1} earlier lines left out`, atMs }, ...lines.reverse()];
    lines.push(line);
  }
  return lines.reverse();
}

/** A line may be printed in several parts; it began with its first non-empty part. */
function splitLines(parts: readonly Part[]): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;
  for (const { text, atMs = null } of parts) {
    if (text === '') continue;
    for (const [index, piece] of text.split(/\r?\n/).entries()) {
      if (!open || index > 0) {
        open = { text: '', atMs };
        lines.push(open);
      }
      if (open.text === '') open.atMs = atMs;
      open.text += piece;
    }
  }
  // No line follows a final line break.
  if (lines.at(-1)?.text === '') lines.pop();
  return lines;
}

/** Everything printed, as one text. */
export const textOf = (output: readonly Printed[]): string =>
  output.map((part) => (typeof part === 'string' ? part : part.text)).join('');
