/** The reason for a test that did not run because of a failed hook. */
export const notRun = (hook: string, suite: string): string => `not run: ${hook} of ${suite || 'the file'} failed`;

/** The names under which failed hooks of a suite are reported: the hook's own name, if the runner gives it. */
export const hookTitles = (suites: readonly string[], hook = '(hooks)'): string[] => [...suites, hook];

/** The name of the entry for a whole file that does not load or fails outside its tests. */
export const wholeFile = '(file)';
