import { configDefaults, defineConfig } from 'vitest/config';

const testsIn = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

/** Drive several services, databases or a browser, which serves all files of a process. */
const together = testsIn('browser', 'hosts', 'keeping', 'store');
/** Drive other programs and wait for them, each from a process of its own. */
const alone = testsIn('client', 'publishers');
/** Measure times and memory of their own process, or break things in it. */
const measuring = testsIn('agents', 'attacks', 'faults', 'simulation');

/** Loading the whole service takes longer than most of these files: they share a process. */
const inOneProcess = { isolate: false, setupFiles: ['tests/new-file.ts'] };

export default defineConfig({
  resolve: { conditions: ['signalbox-source'] },
  ssr: { resolve: { conditions: ['signalbox-source'] } },
  test: {
    // Our own tests are published as every user's are: seen when a console is there, silent when not.
    reporters: [...configDefaults.reporters, './packages/publisher/src/vitest.ts', './tests/skip-reporter.ts'],
    globalSetup: ['tests/temporary-folder.ts', 'tests/postgres/global-setup.ts'],
    // Against what hangs, not against what is slow: the machine may have other things to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // One group after the other. A test waits for nearly half of its time, so that three keep two cores busy.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone, ...together, ...measuring],
          ...inOneProcess,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      // Of one group the first name goes first, and of one name the largest file: the smallest ones alone take longest.
      { extends: true, test: { name: 'driving alone', include: alone, maxWorkers: 3, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: 'driving together',
          include: together,
          ...inOneProcess,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'measuring', include: measuring, maxWorkers: 2, sequence: { groupOrder: 2 } } },
    ],
  },
});
