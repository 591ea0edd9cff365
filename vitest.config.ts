import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { SlowestFirst } from './tests/slowest-first.ts';

const testsIn = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

/** Not of the gate: how fast and how long it holds (`npm run test:long`), and what is published (`npm run test:package`). */
const others = ['tests/long/**', 'tests/package/**'];
/** Drive several services, databases or a browser, which serves all files of a process. */
const together = testsIn('browser', 'hosts', 'keeping', 'store');
/** Drive other programs and wait for them. */
const waiting = testsIn('client', 'publishers');

/** Loading the whole service takes longer than most of these files: they share a process. */
const inOneProcess = { isolate: false, setupFiles: ['tests/new-file.ts'] };

/** A test waits for more than half of its time: with four workers two cores were idle for a third of a run. */
const inParallel = { maxWorkers: 6, exclude: [...configDefaults.exclude, ...others] };
const gate: TestProjectConfiguration[] = [
  { extends: true, test: { name: 'waiting', include: waiting, ...inParallel, ...inOneProcess } },
  { extends: true, test: { name: 'together', include: together, ...inParallel, ...inOneProcess } },
  {
    extends: true,
    test: {
      name: 'shared',
      include: ['packages/*/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
      ...inParallel,
      ...inOneProcess,
      exclude: [...inParallel.exclude, ...waiting, ...together],
    },
  },
];
/** What measures: whatever else the machine does now and then may spoil a measurement, while a defect spoils each. */
const measuring = testsIn('long/loop', 'long/load');
const longTests: TestProjectConfiguration[] = [
  { extends: true, test: { name: 'long', include: ['tests/**/*.test.ts'], exclude: measuring, maxWorkers: 2 } },
  { extends: true, test: { name: 'measuring', include: measuring, retry: 2, maxWorkers: 1 } },
];

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    // Our own tests are published as every user's are: seen when a console is there, silent when not.
    reporters: [...configDefaults.reporters, './packages/publisher/src/vitest.ts', './tests/skip-reporter.ts'],
    globalSetup: ['tests/temporary-folder.ts', 'tests/prepare.ts', 'tests/postgres/global-setup.ts'],
    // Against what hangs, not against what is slow: the machine may have other things to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: SlowestFirst },
    projects: process.env.SIGNALBOX_LONG ? longTests : gate,
  },
});
