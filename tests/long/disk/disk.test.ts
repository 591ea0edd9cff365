import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { randomOf, seedOfRun } from '../../random.ts';
import { isLong, recordFigure } from '../../rounds.ts';
import { start } from '../../start.ts';
import { buildShim, noShim, type Shim } from './shimmed.ts';
import { type Fact, lostOf, story } from './story.ts';

const shim = buildShim();
afterAll(() => shim?.[Symbol.dispose]());
if (!shim) process.stdout.write(noShim);
const withShim = test.runIf(shim !== undefined);
const seed = seedOfRun();
const random = randomOf(seed);

const newHome = () => realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-disk-')));

withShim(
  'the k-th write, flush, rename or truncation of the store fails: what was answered is kept, and nothing is answered after a failed flush',
  async () => {
    const home = newHome();
    // Every k in the long form; in the short form every 23rd, from a random start.
    const stride = isLong ? 1 : 23;
    const { code, lines, err } = await (shim as Shim).run('fail-store.ts', home, [
      String(1 + random.below(stride)),
      String(stride),
    ]);
    rmSync(home, { recursive: true });
    expect([code, err], `seed ${seed}`).toEqual([0, '']);
    const told = JSON.parse(lines.pop() ?? '{}');
    expect(lines, `seed ${seed}`).toEqual([]);
    expect(told.fired).toBeGreaterThan(isLong ? 300 : 10);
    expect([told.answered > 0, told.refused > 0]).toEqual([true, true]);
    recordFigure('R2', `${JSON.stringify(told)}`);
  },
);

type Lived = {
  facts: Fact[];
  refused: { status: number; code: string }[];
  seen: number;
  said: number;
  code: number | null;
};

/** One life of the whole service on a disk that fails at its k-th call; returns what is missing afterwards. */
async function live(kind: string, which: string, at: number): Promise<Lived & { lost: string[] }> {
  const home = newHome();
  try {
    const { code, lines } = await (shim as Shim).run('live.ts', home, [kind, which, String(at)]);
    const told = lines.map((line) => JSON.parse(line));
    const facts = told.flatMap(({ fact }) => fact ?? []);
    const refused = told.flatMap((line) => line.refused ?? []);
    const { seen = 0, said = 0 } = told.find((line) => 'seen' in line) ?? {};
    await using service = await start({ home });
    const unanswered = story[facts.length + refused.length]?.fact;
    return { facts, refused, seen, said, code, lost: await lostOf(service, facts, unanswered) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** All in the long form, a few random ones in the short form. */
const places = (few: number, about: number): number[] =>
  isLong ? Array.from({ length: 400 }, (_, at) => at + 1) : Array.from({ length: few }, () => 1 + random.below(about));

withShim(
  'the power is cut at any call to the disk: what was answered is there after it',
  async () => {
    let [cuts, facts] = [0, 0];
    for (const at of places(2, 70)) {
      const { lost, code, facts: known } = await live('cut', 'every', at);
      expect(lost, `cut at call ${at}, seed ${seed}`).toEqual([]);
      if (code !== 137) break;
      cuts += 1;
      facts += known.length;
    }
    expect(cuts).toBeGreaterThan(0);
    recordFigure('R2', `power cut at each of ${cuts} calls: ${facts} answers, none lost`);
  },
  3_600_000,
);

withShim(
  'a flush fails once: nothing answered is lost, the reason is told, and the store takes no more writes',
  async () => {
    let fired = 0;
    for (const at of places(1, 18)) {
      const { lost, refused, said, seen } = await live('EIO', 'sync', at);
      expect(lost, `flush ${at}, seed ${seed}`).toEqual([]);
      expect(
        refused.every(({ status }) => status === 503 || status === 404),
        JSON.stringify(refused),
      ).toBe(true);
      if (seen < at) break;
      if (refused.length > 0) expect(said, `flush ${at} says why, seed ${seed}`).toBeGreaterThan(0);
      fired += 1;
    }
    expect(fired).toBeGreaterThan(0);
  },
  3_600_000,
);

withShim(
  'a disk that is full from some call on, and one that takes only half of a write, lose nothing that was answered',
  async () => {
    for (const kind of ['ENOSPC', 'short']) {
      for (const at of places(1, 60)) {
        const { lost, refused, seen } = await live(kind, kind === 'short' ? 'write' : 'every', at);
        expect(lost, `${kind} ${at}, seed ${seed}`).toEqual([]);
        // A run that was never accepted cannot be ejected.
        expect(refused.every(({ status }) => status === 503 || status === 507 || status === 404)).toBe(true);
        if (kind === 'short') expect(refused, `a short write is gone on with: ${at}`).toEqual([]);
        if (seen < at) break;
      }
    }
  },
  3_600_000,
);
