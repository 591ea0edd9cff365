import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { randomOf, seedOfRun } from '../random.ts';
import { smallRun } from '../recorded-run.ts';
import { recordFigure, rounds } from '../rounds.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const line = (runId: string, uid: string): string =>
  `${JSON.stringify({ type: 'scenario_finished', runId, uid, outcome: 'CleanPass', attempts: 1, note: 'ünïcode — 😀' })}\n`;

/** A home whose archives are damaged. */
function homeWith(archives: Iterable<readonly [runId: string, bytes: Uint8Array]>): string {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-archives-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, '.signalbox', 'runs');
  mkdirSync(folder, { recursive: true });
  for (const [runId, bytes] of archives) writeFileSync(join(folder, `${runId}.ndjson`), bytes);
  return home;
}

async function uidsOf(service: Started, runId: string): Promise<string[]> {
  const { status, body } = await service.console('GET', `/api/runs/${runId}`);
  expect(status, runId).toBe(200);
  return body.scenarios.map(({ uid }: { uid: string }) => uid);
}

verifies(
  ['boot:torn-line-skipped', 'boot:replays-archives'],
  'an archive cut at any byte of its last line opens, loses that line alone, counts it, and takes new ones',
  async () => {
    const last = Buffer.byteLength(line('cut-000', 'c'));
    const name = (cut: number) => `cut-${String(cut).padStart(3, '0')}`;
    const cuts = Array.from({ length: last - 1 }, (_, index) => index + 1);
    const bytes = (cut: number) => {
      const whole = Buffer.from(['a', 'b', 'c'].map((uid) => line(name(cut), uid)).join(''));
      return whole.subarray(0, whole.length - cut);
    };
    const home = homeWith(cuts.map((cut) => [name(cut), bytes(cut)] as const));
    await using service = await start({ home, settings: { RetentionRuns: '0' } });
    for (const cut of cuts) {
      // Without its final line break a line is still complete.
      expect(await uidsOf(service, name(cut)), `cut by ${cut}`).toEqual(cut === 1 ? ['a', 'b', 'c'] : ['a', 'b']);
    }
    expect(service.logged().match(/"skipped":1/g)?.length).toBe(cuts.length - 1);
    const events = cuts.map((cut) => JSON.parse(line(name(cut), 'd')));
    expect((await service.console('POST', '/api/ingest', { events })).body.accepted).toBe(cuts.length);
    await service.stop();
    await using again = await start({ home, settings: { RetentionRuns: '0' } });
    for (const cut of cuts) expect((await uidsOf(again, name(cut))).at(-1), `cut by ${cut}`).toBe('d');
  },
);

const flips = rounds(300, 10_000);

test(`one flipped bit in an archive, ${flips} times, costs at most the lines it touches and is never a fault`, async () => {
  const seed = seedOfRun();
  const random = randomOf(seed);
  const uids = ['first', 'second', 'third', 'fourth', 'fifth'];
  const flipped = new Map<string, Set<string>>();
  const archives = Array.from({ length: flips }, (_, index) => {
    const runId = `flip-${index}`;
    const lines = uids.map((uid) => Buffer.from(line(runId, uid)));
    const bytes = Buffer.concat(lines);
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    const starts = lines.map((_, n) => Buffer.concat(lines.slice(0, n)).length);
    // A lost line break joins a line with the next one.
    const touched = uids.filter(
      (_, n) => at >= (starts[n] ?? 0) - 1 && at < (starts[n] ?? 0) + (lines[n]?.length ?? 0),
    );
    flipped.set(runId, new Set(uids.filter((uid) => !touched.includes(uid))));
    return [runId, bytes] as const;
  });
  await using service = await start({ home: homeWith(archives), settings: { RetentionRuns: '0' } });
  let lines = 0;
  for (const [runId, whole] of flipped) {
    const found = new Set(await uidsOf(service, runId));
    for (const uid of whole) expect(found, `${runId}, seed ${seed}`).toContain(uid);
    expect(found.size, `${runId}, seed ${seed}`).toBeLessThanOrEqual(uids.length);
    lines += uids.length - found.size;
  }
  expect(service.logged()).not.toContain('a request failed with an unexpected error');
  recordFigure('R5', `${flips} flipped bits, ${lines} lines skipped, seed ${seed}`);
});

const inFolder = async (service: Started, folder: string) =>
  (await readdir(join(service.dataPath, 'runs', folder))).filter((name) => name.endsWith('.ndjson'));

verifies(
  ['eject:live-one-409', 'eject:moves-archive', 'ingest:recreates-run'],
  'ejects in the middle of ingest never take a live run, and each archive is in exactly one place',
  async () => {
    await using service = await start();
    const answers: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const runId = `r${round % 3}`;
      const events = smallRun(runId, { outcomes: Array(20).fill('CleanPass') });
      const sends = [0, 20, 41].map((from) => ({ events: events.slice(from, from + 21) }));
      const [taken] = await Promise.all([
        service.console('DELETE', `/api/runs/${runId}`),
        ...sends.map((body) => service.console('POST', '/api/ingest', body)),
      ]);
      answers.push(taken.status);
      expect([204, 404, 409]).toContain(taken.status);
      const { status, body } = await service.console('GET', `/api/runs/${runId}`);
      expect(status).toBe(200);
      expect(body.scenarios.length).toBeGreaterThan(0);
    }
    const ended = await service.console('DELETE', '/api/runs');
    expect(ended.status).toBe(200);
    const [board, ejected] = [await inFolder(service, ''), await inFolder(service, 'ejected')];
    const listed = (await service.console('GET', '/api/runs')).body.map(
      ({ runId }: { runId: string }) => `${runId}.ndjson`,
    );
    expect(board.sort()).toEqual(listed.sort());
    expect(ejected.length).toBeGreaterThan(0);
  },
);
