import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { Random } from '../../random.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Parts that our own regular expressions match, taken from their sources: texts that almost match take longest. */
function piecesOfExpressions(): string[] {
  const pieces = new Set<string>();
  for (const file of globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
    if (file.includes('.test.')) continue;
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    new Visitor({
      Literal(node) {
        if ('regex' in node) for (const piece of piecesOf(node.regex.pattern)) pieces.add(piece);
      },
    }).visit(program);
  }
  return [...pieces];
}

/** The plain words of a pattern, and one character of each of its classes. */
function piecesOf(pattern: string): string[] {
  const plain = pattern
    .replace(/\[\^?(\\?.)[^\]]*\]/g, '$1')
    .replace(/\\[sS]/g, ' ')
    .replace(/\\d/g, '1')
    .replace(/\\[wp](?:\{\w+\})?/g, 'a')
    .replace(/\\[bB]|\(\?[:=!<]+|[()^$*+?]|\{[\d,]*\}/g, '')
    .replace(/\\(.)/g, '$1');
  return plain.split('|').filter((piece) => piece !== '');
}

const marks = [
  ...' \t\n-/.:@<>&"\'`\\|#;=,()[]{}0a_%?*+~^$!',
  '\r\n',
  '\u2028',
  '\u001b[',
  '<!--',
  '- ',
  '::',
  '[[',
  '{{',
];
const pieces = [...marks, ...piecesOfExpressions()];

/** 10 KB to `most` characters: repeats, nested repeats, alternations, with an end that prevents the match. */
export function longText(random: Random, most: number): string {
  const length = Math.floor(10_000 * (most / 10_000) ** random.next());
  const one = () => random.pick(pieces);
  const inner = random.pick([
    one,
    () => one() + one(),
    () => one().repeat(1 + random.below(50)) + one(),
    () => `${one()}${one().repeat(1 + random.below(5_000))}`,
  ])();
  const begin = random.chance(0.5) ? one() : '';
  const end = random.chance(0.7) ? random.pick(['\u0000', '!', one(), '\n', `${one()}${one()}`]) : '';
  return (begin + inner.repeat(Math.ceil(length / inner.length))).slice(0, length) + end;
}

/** A long text, or a list or object of very many small values. */
export function longValue(random: Random, most: number): unknown {
  if (!random.chance(0.2)) return longText(random, most);
  const count = Math.floor(1_000 * (most / 4_000) ** random.next());
  if (random.chance(0.2)) return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]));
  return Array(count).fill(random.pick([{}, [], 0, '', { a: 1 }, { id: 'a' }, null, [[]], 'x']));
}
