import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Check = { title: string; numbers: string[]; file: string };

/** Every test of the kit, with the numbers of the sentences that it checks. */
export const interfaceChecks = (): Check[] =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => checksIn(name, readFileSync(join(import.meta.dirname, name), 'utf8')));

function checksIn(file: string, text: string): Check[] {
  const calls = text.matchAll(/\bpromises\(\s*\[([^\]]*)\],\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g);
  return [...calls].map(([, numbers = '', single, double]) => ({
    title: (single ?? double ?? '').replaceAll("\\'", "'"),
    numbers: [...numbers.matchAll(/'([\d.]+)'/g)].map(([, number = '']) => number),
    file,
  }));
}
