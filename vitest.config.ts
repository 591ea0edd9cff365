import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['signalbox-source'] },
  ssr: { resolve: { conditions: ['signalbox-source'] } },
  test: {
    // Our own tests are published as every user's are: seen when a console is there, silent when not.
    reporters: [...configDefaults.reporters, './packages/publisher/src/vitest.ts', './tests/skip-reporter.ts'],
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    globalSetup: ['tests/postgres/global-setup.ts'],
    // Against what hangs, not against what is slow: the machine may have other things to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
