import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.ts';

export const damages = ['byte', 'file', 'length', 'swap'] as const;
export type Damage = { kind: (typeof damages)[number]; path: string; what: string };

export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** Damages one file of a folder in that way. */
export function damage(folder: string, kind: Damage['kind'], random: Random, files = filesIn(folder)): Damage {
  const filled = files.filter((path) => readFileSync(join(folder, path)).length > 0);
  const path = random.pick(filled);
  const file = join(folder, path);
  const { length } = readFileSync(file);
  if (kind === 'file') {
    rmSync(file);
    return { kind, path, what: 'removed' };
  }
  if (kind === 'length') {
    const at = random.below(length);
    const isCut = random.chance(0.7);
    if (isCut) truncateSync(file, at);
    else appendFileSync(file, 'more');
    return { kind, path, what: isCut ? `cut at ${at} of ${length}` : 'made longer' };
  }
  if (kind === 'swap') {
    const other = random.pick(filled.filter((one) => !readFileSync(join(folder, one)).equals(readFileSync(file))));
    renameSync(file, `${file}.aside`);
    renameSync(join(folder, other), file);
    renameSync(`${file}.aside`, join(folder, other));
    return { kind, path, what: `exchanged with ${other}` };
  }
  return { kind, path, what: flip(file, random.below(length), random.below(8)) };
}

export function flip(file: string, at: number, bit: number): string {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(file, bytes);
  return `bit ${bit} of byte ${at} of ${bytes.length} flipped`;
}
