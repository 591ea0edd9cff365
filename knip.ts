import type { KnipConfig } from 'knip';

/** Files and exports that nobody uses. Which dependencies are used is seen by the import table and by the package test. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: ['scripts/*.{ts,mjs}', 'tests/**/*.{ts,mjs}', 'bench/*.ts'],
      project: ['scripts/**', 'tests/**', 'testing/**', 'bench/**', '*.ts'],
    },
    'packages/service': {
      entry: [
        ...['src/cli/{bin,main}.ts', 'src/observer/main.ts', 'src/**/*-thread.ts', 'src/**/*.test.ts'],
        // Exported by the package.
        'src/{browser,client}/*.ts',
      ],
      project: ['src/**/*.ts'],
    },
    'packages/client': { entry: ['src/api-types.ts'], project: ['src/**/*.ts'] },
    'packages/event-model': { entry: ['src/**/*.test.ts'], project: ['src/**/*.ts', 'testing/*.ts'] },
    'packages/publisher': {
      entry: ['src/*.ts', 'src/sender/thread.ts', 'src/**/*.test.ts'],
      project: ['src/**/*.ts'],
    },
    'packages/web': { entry: ['src/export-main.tsx', 'src/**/*.test.{ts,tsx}'], project: ['src/**/*.{ts,tsx}'] },
  },
  ignoreExportsUsedInFile: true,
  include: ['files', 'exports'],
};

export default config;
