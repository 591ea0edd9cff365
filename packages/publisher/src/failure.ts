import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cell } from './events.ts';
import { plain, shown } from './text.ts';

/** Why a test failed. */
export type Failure = {
  message: string;
  type: string | null;
  stack: string | null;
  frames: readonly string[];
  /** Relative to the folder of the run. */
  file: string | null;
  line: number | null;
  cells: readonly Cell[];
};

/** What the frameworks' errors have in common; anything may be thrown. */
type Thrown = {
  message?: unknown;
  name?: unknown;
  stack?: unknown;
  expected?: unknown;
  actual?: unknown;
  cause?: unknown;
};

const inside = /(?:^|[\\/])node_modules[\\/]|^node:|\(node:/;

/** Reads a failure out of whatever was thrown. */
export function failureOf(thrown: unknown, folder: string): Failure {
  const error: Thrown = typeof thrown === 'object' && thrown !== null ? thrown : { message: thrown };
  const message = plain(typeof error.message === 'string' ? error.message : String(error.message ?? thrown), 8_000);
  const stack = typeof error.stack === 'string' ? plain(error.stack, 16_000) : null;
  const frames = (stack ?? '').split('\n').flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []);
  const own = frames.filter((frame) => !inside.test(frame));
  const place = own.map((frame) => placeIn(frame, folder)).find((found) => found !== null) ?? null;
  return {
    message,
    type: typeof error.name === 'string' ? error.name : null,
    stack,
    frames: own,
    file: place?.file ?? null,
    line: place?.line ?? null,
    cells: compared(error),
  };
}

function placeIn(frame: string, folder: string): { file: string; line: number } | null {
  const [, path, line] = /((?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^():]*):(\d+)(?::\d+)?\)?$/.exec(frame) ?? [];
  if (path === undefined) return null;
  return { file: relativeTo(folder, path), line: Number(line) };
}

/** A file as people and console name it: relative to the folder where it can be, with forward slashes. */
export function relativeTo(folder: string, path: string): string {
  const file = path.startsWith('file://') ? fileURLToPath(path) : path;
  const short = relative(folder, file);
  return (short === '' || short.startsWith('..') ? file : short).replaceAll('\\', '/');
}

function compared({ expected, actual }: Thrown): Cell[] {
  if (expected === undefined && actual === undefined) return [];
  return [{ name: 'value', status: 'failed', expected: shown(expected), actual: shown(actual), rowIndex: -1 }];
}
