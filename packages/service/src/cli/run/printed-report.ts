import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const largest = 64 * 1024 * 1024;

/** `--report -` asks for it, and `go test -json` prints nothing else. */
export function readsPrinted([program = '', ...args]: readonly string[], reports: readonly string[]): boolean {
  const isGo =
    /^go(\.exe)?$/.test(basename(program)) && args[0] === 'test' && /^--?json$/.test(args.find(isJson) ?? '');
  return reports.includes('-') || (isGo && reports.length === 0);
}

const isJson = (arg: string): boolean => arg === '-json' || arg === '--json';

/** What a command prints, passed on as it comes and kept to be read as a report; what is too long is none. */
export class PrintedReport {
  #pieces: Buffer[] = [];
  #bytes = 0;

  follow(from: Readable, to: Writable): void {
    from.pipe(to, { end: false });
    from.on('data', (piece: Buffer) => {
      this.#bytes += piece.length;
      if (this.#bytes > largest) this.#pieces = [];
      else this.#pieces.push(piece);
    });
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}
