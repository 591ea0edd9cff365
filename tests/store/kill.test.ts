import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Recorded } from '../../packages/service/src/kernel/event-log.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/event-log.ts';
import { realClock } from './real-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'events.sqlite');

/** Lets the writers write for a moment, kills them, and gives what they had been answered. */
function killedRound(round: number): Promise<string[]> {
  const script = join(import.meta.dirname, 'append-until-killed.ts');
  const child = spawn(process.execPath, [script, path, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => {
    let answered = '';
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), 20 + Math.random() * 80));
    child.stdout.on('data', (text) => (answered += text));
    child.on('close', () => resolve(answered.split('\n').slice(0, -1)));
  });
}

test('kill -9 in the middle of concurrent appends loses nothing that was answered, in 20 rounds', async () => {
  const answered: string[] = [];
  for (let round = 1; round <= 20; round += 1) {
    const before = answered.length;
    answered.push(...(await killedRound(round)));
    expect(answered.length).toBeGreaterThan(before);

    const log = openSqliteLog({ path, clock: realClock });
    const kept: Recorded[] = [];
    await log.attach({ apply: (event) => kept.push(event), reset: () => kept.splice(0) });
    expectWhole(kept);
    const found = new Set(kept.map(({ by, stream, version }) => `${by} ${stream} ${version}`));
    expect(answered.filter((line) => !found.has(line))).toEqual([]);
    const last = kept.at(-1)!;
    expect(await log.remembered(last.by)).toMatchObject({ answer: last.version });
    await log.close();
  }
});

function expectWhole(kept: readonly Recorded[]): void {
  const versions = new Map<string, number>();
  const broken = kept.filter(({ sequence, stream, version }, index) => {
    const expected = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    return sequence !== index + 1 || version !== expected;
  });
  expect(broken).toEqual([]);
  expect(new Set(kept.map(({ by }) => by)).size).toBe(kept.length);
}
