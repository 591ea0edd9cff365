/** The tested versions of each framework, oldest first. `npm run test:suites` installs them into a cache. */
export type Versions = {
  name: string;
  /** The test file in `tests/publishers/suites`. */
  suite: string;
  /** A further test file. */
  modes?: string;
  /** The installed package; Node itself is also a package. */
  package: string;
  /** Packages that its tests also need, in the same version if none is named. */
  beside?: readonly string[];
  versions: readonly string[];
};

export const versions: readonly Versions[] = [
  {
    name: 'Vitest',
    suite: 'vitest',
    modes: 'vitest-modes',
    package: 'vitest',
    beside: ['typescript@5.9.3', '@vitest/browser', 'playwright@1.65.0'],
    versions: ['3.2.7'],
  },
  {
    name: 'Vitest',
    suite: 'vitest',
    modes: 'vitest-modes',
    package: 'vitest',
    beside: ['typescript@5.9.3', '@vitest/browser-playwright', 'playwright@1.65.0'],
    versions: ['4.1.12', '5.1.0'],
  },
  {
    name: 'Vitest',
    suite: 'vitest-own-report',
    modes: 'vitest-modes',
    package: 'vitest',
    beside: ['typescript@5.9.3', '@vitest/browser', 'playwright@1.65.0'],
    versions: ['1.6.1', '2.1.9'],
  },
  { name: 'Jest', suite: 'jest', package: 'jest', versions: ['29.7.0', '30.5.2'] },
  { name: 'Mocha', suite: 'mocha', package: 'mocha', versions: ['9.2.2', '10.8.2', '11.8.0', '12.0.3'] },
  {
    name: 'Playwright',
    suite: 'playwright',
    package: '@playwright/test',
    versions: ['1.62.1', '1.63.0', '1.64.1', '1.65.0'],
  },
  {
    name: 'Cucumber',
    suite: 'cucumber',
    package: '@cucumber/cucumber',
    versions: ['11.3.0', '12.9.0', '13.3.0'],
  },
  { name: 'node:test', suite: 'node-test', package: 'node', versions: ['20.20.2', '22.23.3', '24.21.0'] },
];
