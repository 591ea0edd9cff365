import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { SourceFrame } from './events.ts';

const around = 3;
const lineLength = 300;
const largestFile = 2_000_000;
/** Limits the sources read for a run with thousands of failures. */
const framesAtMost = 1_000;

let read = 0;
let last: { path: string; lines: readonly string[] } | null = null;

/** The lines around a location; null if the file cannot be read. */
export function frameAt(path: string, line: number): SourceFrame | null {
  if (++read > framesAtMost) return null;
  const lines = linesOf(path);
  if (line < 1 || line > lines.length) return null;
  const start = Math.max(1, line - around);
  return { start, lines: lines.slice(start - 1, line + around).map((text) => text.slice(0, lineLength)) };
}

/** Failures of one file mostly come in sequence. */
function linesOf(path: string): readonly string[] {
  if (last?.path !== path) last = { path, lines: readLines(path) };
  return last.lines;
}

function readLines(path: string): string[] {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    return !stats.isFile() || stats.size > largestFile ? [] : readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  } finally {
    if (file !== null) closeSync(file);
  }
}
