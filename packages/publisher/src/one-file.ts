import { followCucumber } from './cucumber.ts';
import JestReporter from './jest.ts';
import MochaReporter from './mocha.ts';
import nodeTestReporter from './node-test.ts';
import PlaywrightReporter from './playwright.ts';
import VitestReporter from './vitest.ts';

export * from './index.ts';

// Cucumber uses the module itself as a plugin.
export const type = 'plugin';
export const coordinator: typeof followCucumber = followCucumber;

type Arguments = readonly [first?: Record<string, unknown>, second?: never];

/**
 * The reporters of all frameworks in one: each framework calls it with `new` and different arguments, which identify it.
 * Vitest passes the options of the configuration, Playwright adds `configDir`, Jest passes its whole configuration, Mocha its
 * runner, and node:test nothing.
 */
export default function SignalboxReporter(...given: Arguments): object {
  const [first, second] = given;
  if (given.length === 0) return nodeTestReporter;
  if (typeof first?.on === 'function') return new MochaReporter(first as never, second);
  if (first?.configDir !== undefined) return new PlaywrightReporter(first);
  if (first?.rootDir !== undefined) return new JestReporter(first as never, second);
  return new VitestReporter(first);
}
