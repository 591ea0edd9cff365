import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../rounds.ts';
import { start } from '../../start.ts';
import { buildShim, noShim } from '../disk/shimmed.ts';
import { lostOf } from '../disk/story.ts';
import type { PlantName } from './plants.ts';

const tests = join(import.meta.dirname, '..', '..');
const plant = join(import.meta.dirname, 'plant.ts');

/** Runs a script with the planted bug, or without it. */
function run(name: PlantName | undefined, script: string, ...args: string[]) {
  const { PLANT: _, ...env } = process.env;
  const given = { ...env, ...(name && { PLANT: name }) };
  return spawnSync(process.execPath, ['--import', plant, join(tests, script), ...args], {
    env: given,
    encoding: 'utf8',
  });
}

test('a claim given to two is caught by the simulation, which names the seed', () => {
  const caught = run('double-claim', 'simulation/run.ts', '1', '50');
  expect([caught.status, caught.stderr]).toEqual([1, expect.stringMatching(/seed \d+: .*told claimed/)]);
  expect(run(undefined, 'simulation/run.ts', '1', '50').status).toBe(0);
});

test('a snapshot that the log does not hold is caught by an empty store', () => {
  expect(run('old-snapshot', 'long/planted/old-snapshot.ts').status).toBe(1);
  expect(run(undefined, 'long/planted/old-snapshot.ts').status).toBe(0);
});

test('a clock that stops in sleep is caught by a claim after it', () => {
  expect(run('clock-without-sleep', 'long/planted/slept.ts').status).toBe(1);
  expect(run(undefined, 'long/planted/slept.ts').status).toBe(0);
});

test('an append that does not check the history is caught by a database that has lost its tail', () => {
  const caught = run('unchecked-append', 'long/planted/lost-tail.ts');
  expect([caught.status, caught.stdout]).toEqual([1, 'decided on kept lost next\n']);
  expect(run(undefined, 'long/planted/lost-tail.ts').status).toBe(0);
});

for (const name of ['unchecked-read', 'fence-without-clock'] as const)
  test.runIf(isLong)(
    `${name} is caught by restores on PostgreSQL, which name the seed`,
    () => {
      const caught = run(name, 'long/hosts/run-histories.ts', '1', '60');
      expect([caught.status, caught.stderr]).toEqual([1, expect.stringMatching(/seed \d+: /)]);
    },
    1_200_000,
  );

test.runIf(isLong)('a missing check of the Origin is caught by the attack on every route', () => {
  const caught = run('missing-origin-check', 'long/planted/attack-origins.ts');
  expect([caught.status, caught.stdout]).toEqual([1, expect.stringContaining('/api/')]);
  expect(run(undefined, 'long/planted/attack-origins.ts').status).toBe(0);
});

test.runIf(isLong)('a line without a bound on what waits for it is caught by readers that never read', () => {
  const caught = run('unbounded-buffer', 'long/planted/stuck-readers.ts');
  expect(caught.status, caught.stdout).toBe(1);
  const sound = run(undefined, 'long/planted/stuck-readers.ts');
  expect(sound.status, sound.stdout).toBe(0);
});

test.runIf(isLong)('a skipped flush is caught by a cut of the power', async () => {
  using shim = buildShim();
  if (!shim) return void process.stdout.write(noShim);
  const lost: Record<string, string[]> = {};
  for (const PLANT of ['skipped-flush', '']) {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-planted-'));
    const { lines } = await shim.run('live.ts', home, ['cut', 'every', '45'], {
      PLANT,
      NODE_OPTIONS: `--import ${plant}`,
    });
    await using service = await start({ home });
    lost[PLANT] = await lostOf(
      service,
      lines.map((line) => JSON.parse(line)).flatMap(({ fact }) => fact ?? []),
    );
    expect(lines.length, 'something was answered').toBeGreaterThan(1);
    await service.stop();
    rmSync(home, { recursive: true });
  }
  expect(lost['skipped-flush']?.length).toBeGreaterThan(0);
  expect(lost['']).toEqual([]);
});
