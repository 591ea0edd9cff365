import { emitKeypressEvents } from 'node:readline';
import { styleText } from 'node:util';
import type { Line, Size } from './screen.ts';

const styles = { good: 'green', bad: 'red', warn: 'yellow', quiet: 'dim' } as const;

function painted({ text, tone, bold, chosen }: Line): string {
  const kinds = [
    ...(tone === null ? [] : [styles[tone]]),
    ...(bold ? ['bold' as const] : []),
    ...(chosen ? ['inverse' as const] : []),
  ];
  return kinds.length === 0 ? text : styleText(kinds, text, { stream: process.stdout });
}

/** Uses the whole screen of a terminal, and restores it afterwards. */
export class Terminal {
  #shown: string[] = [];
  #isOpen = false;

  get size(): Size {
    return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#shown = [];
    process.stdout.write('\u001b[?1049h\u001b[?25l\u001b[2J');
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.stdout.write('\u001b[?25h\u001b[?1049l');
  }

  /** Writes only the lines that differ from what is shown. */
  draw(lines: readonly Line[]): void {
    const wanted = lines.map(painted);
    const changed = wanted.flatMap((text, row) =>
      text === this.#shown[row] ? [] : [`\u001b[${row + 1};1H${text}\u001b[K`],
    );
    const rest = wanted.length < this.#shown.length ? [`\u001b[${wanted.length + 1};1H\u001b[J`] : [];
    this.#shown = wanted;
    if (changed.length + rest.length > 0) process.stdout.write([...changed, ...rest].join(''));
  }

  /** Makes the next draw write everything, because the size changed or something else wrote here. */
  forget(): void {
    this.#shown = [];
    if (this.#isOpen) process.stdout.write('\u001b[2J');
  }
}

/** Names of the pressed keys, such as `n`, `down`, `tab`, `backtab`; none without raw mode. */
export function onKeys(pressed: (key: string) => void): void {
  if (!process.stdin.isTTY) return;
  emitKeypressEvents(process.stdin);
  process.stdin.setRawMode(true);
  process.stdin.on('keypress', (text: string | undefined, key: { name?: string; ctrl?: boolean; shift?: boolean }) => {
    if (key.ctrl && key.name === 'c') return pressed('q');
    pressed(key.name === 'tab' && key.shift ? 'backtab' : text === '?' ? '?' : (key.name ?? text ?? ''));
  });
}
