import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

const longest = 1024 * 1024;

/** Splits output into whole lines without colours. Lines longer than any result are cut. */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  take(piece: Buffer): string[] {
    const lines = `${this.#rest}${this.#decoder.write(piece)}`.split('\n');
    this.#rest = (lines.pop() ?? '').slice(-longest);
    return lines.map(plain);
  }

  last(): string[] {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    return rest === '' ? [] : [plain(rest)];
  }
}

const plain = (line: string): string => stripVTControlCharacters(line.endsWith('\r') ? line.slice(0, -1) : line);
