import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: ['scripts/*.{ts,mjs}', 'tests/**/*.ts', 'bench/*.ts'],
      project: ['scripts/**', 'tests/**', 'bench/**', '*.ts'],
    },
    'packages/service': {
      entry: [
        'src/cli/bin.ts',
        'src/contract.ts',
        'src/run-fold.ts',
        'src/event-model-layout.ts',
        'src/demo.ts',
        'src/**/*.test.ts',
      ],
      project: ['src/**/*.ts'],
    },
    'packages/publisher': { entry: ['src/*.ts', 'src/**/*.test.ts'], project: ['src/**/*.ts'] },
    'packages/web': { entry: ['src/main.tsx', 'src/**/*.test.{ts,tsx}'], project: ['src/**/*.{ts,tsx}'] },
  },
  ignoreDependencies: ['node', '@types/node'],
  ignoreExportsUsedInFile: true,
  exclude: ['types'],
};

export default config;
