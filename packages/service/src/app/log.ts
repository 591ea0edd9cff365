import pino, { type DestinationStream, type Logger } from 'pino';
import { withoutPasswords } from '../kernel/address.ts';

export type { Logger };

const words: Record<number, string> = { 20: 'debug', 30: '', 40: 'warning', 50: 'error', 60: 'fatal' };

/** One JSON object per line for programs; plain lines on a terminal. */
export function createLog(stream: NodeJS.WritableStream & { isTTY?: boolean }, level = 'info'): Logger {
  const options = {
    level,
    base: null,
    redact: ['token', 'authorization', 'cookie', '*.token', '*.authorization', '*.cookie'],
  };
  return pino(options, stream.isTTY ? human(stream) : { write: (line) => void stream.write(withoutPasswords(line)) });
}

function human(stream: NodeJS.WritableStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, ...rest } = JSON.parse(line);
      const word = words[level] ? `${words[level]}: ` : '';
      const details = Object.entries(rest).map(
        ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const text = `${word}${String(msg)}${details.join('')}${err?.stack ? `\n${err.stack}` : ''}`;
      stream.write(`${new Date(time).toISOString().slice(11, 19)} ${visible(withoutPasswords(text))}\n`);
    },
  };
}

/** Control characters from outside never reach the terminal unescaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const visible = (text: string): string => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\u00b7');
