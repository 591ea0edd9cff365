import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signalbox } from '../spawn.ts';

const small = [
  'owner.json',
  'program.json',
  'last-backup.json',
  'host.json',
  'snapshot',
  'revoked.json',
  'logins.json',
  'observers.json',
];
const kinds: [what: string, make: (path: string) => unknown][] = [
  ['pipes', (path) => execFileSync('mkfifo', [path])],
  ['links to a device', (path) => symlinkSync('/dev/zero', path)],
  ['folders', (path) => mkdirSync(path)],
  ['brackets', (path) => writeFileSync(path, '['.repeat(60_000))],
];

function homeWith(names: readonly string[], make: (path: string) => unknown): string {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.signalbox'));
  for (const name of names) make(join(home, '.signalbox', name));
  return home;
}

const stackTrace = /\n\s+at .*:\d+/;

test.each(kinds)(
  'a start does not wait for %s in place of our small files, and none counts as a moved store',
  async (_, make) => {
    await using moved = signalbox(['start'], { PORT: '0,0' }, homeWith(['moved.json'], make));
    expect(await moved.ended).toBe(1);
    expect(moved.err()).toMatch(/was moved to PostgreSQL/);
    expect(moved.err()).not.toMatch(stackTrace);
    await using started = signalbox(['start'], { PORT: '0,0' }, homeWith(small, make));
    await Promise.race([started.says(/reference/), started.ended]);
    expect(started.out() + started.err()).not.toMatch(stackTrace);
  },
);
