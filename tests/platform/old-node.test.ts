import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tooOld } from '../../packages/service/src/cli/node-version.ts';
import { cli } from '../spawn.ts';

/** The files that a file loads before its first line runs, including what those load. */
function loadedFirst(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(/^import\s[^;]*?["']([^"']+)["'];?$/gm)].map(
    ([, from = '']) => from,
  );
  return found.flatMap((from) => (from.startsWith('.') ? loadedFirst(join(dirname(file), from)) : [from]));
}

test('a Node that is too old gets one line, from a checkout too, and nothing is loaded before it', () => {
  expect(loadedFirst(cli)).toEqual([]);
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, cli, 'start'],
    { encoding: 'utf8' },
  );
  expect([status, stdout, stderr]).toEqual([1, '', `${tooOld('20.20.2')}\n`]);
});
