/** How one test of the example must be reported. */
export type Expected = {
  /** The whole title path, as the console shows it. */
  scenario: string;
  outcome: 'CleanPass' | 'PassOnRetry' | 'Failed' | 'Skipped' | 'Aborted';
  /** The messages of all its errors, in part and in order. */
  errors?: readonly string[];
  skipReason?: string;
  todo?: true;
};

type Files = Record<string, string>;

/**
 * One test framework: a small project for each point on which its publisher must report correctly, and the framework's
 * own results. To add a framework, add another of these.
 */
export type Framework = {
  name: string;
  /** The packages installed in the project. */
  packages: readonly string[];
  /** Arguments of Node that run all tests of a project, or those of some files, with or without the publisher. */
  args(options?: { told?: boolean; files?: readonly string[] }): string[];
  /** Further arguments, or another configuration, that change the order of tests and the number of workers. */
  otherOrder: { args?: readonly string[]; files?: Files; untold?: readonly string[] };
  /** One project with a test for each thing that can happen to a test. */
  example: {
    files: Files;
    /** Tests with equal names, in the order of the sources, by the end of their uid. */
    twins: readonly [string, string];
    expected: readonly Expected[];
    /** The line of a test, if the framework reports it. */
    line: { uid: string; line: number } | null;
    /** The compared values of the test `compares`, if the framework reports them. */
    compared: { expected: string; actual: string } | null;
    cause: string | null;
    /** The test's own tags, if the framework has tags. */
    tags?: readonly string[];
  };
  /** Two files with one test each; the second fails. `args` is the framework's own way to shard, if it has one. */
  shards: { files: Files; first: string; second: string; args?(index: number, count: number): readonly string[] };
  /** One test that passes at once, one that hangs, and one that never starts. */
  interrupted: { files: Files; due: number };
  /** A test that runs twice, in two projects or in two packages of one repository; uids in any order. */
  projects: { files: Files; args?: readonly string[]; uids: readonly string[] };
  /** A file with one test that prints `said aloud` and, if possible, `said aside`; and a file that prints 200 KB. */
  output: { files: Files; stderr: boolean } | null;
};

export const compared = { expected: 'line one\nline two', actual: 'line one\nline 2' };
export const flood = `for (let n = 0; n < 4_000; n++) console.log('flood ' + n + ' ' + 'x'.repeat(40));`;
