import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createChangeReader } from '../../../packages/service/src/coordination/trees/io/change-reader.ts';
import type { ChangeReader } from '../../../packages/service/src/coordination/trees/ports.ts';
import { gitIn, gitRepository, gitWorktree } from '../../agents/git-repository.ts';
import { recordFigure, rounds } from '../../rounds.ts';

const perFolder = 100;
/** The same wait as in the service, so that a burst of changes causes one check. */
const burstMs = 200;

/** A repository with that many files, all committed on its default branch. */
function repositoryOf(files: number): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trees-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const shop = join(root, 'shop');
  gitRepository(shop, 'acme/shop');
  for (let at = 0; at < files; at += 1) {
    const folder = join(shop, `src/${Math.floor(at / perFolder)}`);
    if (at % perFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.ts`), `line ${at}\nand another\n`);
  }
  const git = gitIn(shop);
  git('add', '.');
  git('commit', '-q', '-m', 'Files');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return shop;
}

/** A reader that checks soon after each hint, as the service does. */
function follow(root: string): { reader: ChangeReader; looks: () => number } {
  let looks = 0;
  let isDue = false;
  const reader = createChangeReader({
    root,
    isWatchable: true,
    defaultBranch: () => null,
    now: Date.now,
    onChange() {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        looks += 1;
        void reader.look();
      }, burstMs);
    },
  });
  onTestFinished(() => reader.close());
  return { reader, looks: () => looks };
}

const ticksPerSecond = 100;

/** CPU seconds of this process and of programs that it started and that have ended. */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}

/** The share of a core that was used while `work` ran. */
async function shareOf(work: () => Promise<void>): Promise<number> {
  const [began, before] = [performance.now(), cpuSeconds()];
  await work();
  return ((cpuSeconds() - before) * 1000) / (performance.now() - began);
}

/** Creating 800,000 files takes most of the time on a busy machine. */
const timeout = 60 * 60_000;
const [trees, files] = [rounds(6, 40), rounds(2_000, 20_000)];

test(`${trees} trees of ${files} files with an edit a second use less than 2 % of a core`, { timeout }, async () => {
  const shop = repositoryOf(files);
  const roots = Array.from({ length: trees }, (_, at) => gitWorktree(shop, `tree${at}`));
  const followed = roots.map(follow);
  for (const { reader } of followed) await reader.look();
  const seconds = rounds(20, 120);
  const edit = (count: number, folder: (at: number) => string) => async () => {
    for (let at = 0; at < count; at += 1) {
      writeFileSync(join(folder(at), `${at % perFolder}.ts`), `line ${at}\nchanged at ${at}\n`);
      await pause(1_000);
    }
  };
  // The same edits without an observer: the difference is the cost of observing.
  const unwatched = await shareOf(edit(20, () => join(shop, '..')));
  const share = (await shareOf(edit(seconds, (at) => join(roots[at % trees] ?? '', 'src/0')))) - unwatched;
  const seen = await Promise.all(followed.map(async ({ reader }) => (await reader.look())?.paths.length ?? 0));
  expect(seen.reduce((sum, count) => sum + count, 0)).toBe(seconds);
  const figure = `${trees} trees of ${files} files, an edit a second: ${(share * 100).toFixed(1)} % of a core`;
  recordFigure('trees', figure);
  process.stdout.write(`${figure}\n`);
  expect(share).toBeLessThan(0.02);
});

const large = rounds(10_000, 100_000);

test(`a clean tree of ${large} files costs nothing while nothing changes, and is cut at 5,000 changed ones`, {
  timeout,
}, async () => {
  const shop = repositoryOf(large);
  const { reader, looks } = follow(shop);
  expect(await reader.look()).toMatchObject({ paths: [], truncated: false });
  const before = looks();
  const share = await shareOf(async () => {
    for (let second = 0; second < rounds(10, 60); second += 1) {
      await reader.look();
      await pause(1_000);
    }
  });
  // One hint may still arrive for the files that were just created.
  expect(looks() - before).toBeLessThanOrEqual(1);
  const figure = `a clean tree of ${large} files, looked at every second: ${(share * 100).toFixed(2)} % of a core`;
  recordFigure('trees', figure);
  process.stdout.write(`${figure}\n`);
  expect(share).toBeLessThan(0.02);
  for (let at = 0; at < large; at += 1)
    writeFileSync(join(shop, `src/${Math.floor(at / perFolder)}/${at}.ts`), `changed ${at}\n`);
  await expect
    .poll(async () => await reader.look(), { timeout: 120_000 })
    .toMatchObject({ truncated: true, paths: { length: 5_000 } });
});
