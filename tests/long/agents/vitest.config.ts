import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Scenes with real programs: separate from `npm test`, because they need what npm installs. */
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  resolve: { tsconfigPaths: true },
  test: {
    globalSetup: ['tests/long/agents/install-programs.ts'],
    include: ['tests/long/agents/*.scene.ts', 'tests/publishers/connect-layouts.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    reporters: ['verbose'],
  },
});
