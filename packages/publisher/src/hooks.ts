/** What tells of a test that a failing hook kept from running. */
export const notRun = (hook: string, suite: string): string => `not run: ${hook} of ${suite || 'the file'} failed`;

/** The names under which the failures of a suite's hooks are told: the hook's own, where the runner names it. */
export const hookTitles = (suites: readonly string[], hook = '(hooks)'): string[] => [...suites, hook];

/** The name of what stands for a whole file: it does not load, or broke outside of its tests. */
export const wholeFile = '(file)';
