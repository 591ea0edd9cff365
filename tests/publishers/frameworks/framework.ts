/** How one test of the example is expected to be told. */
export type Expected = {
  /** The whole title path, as the console shows it. */
  scenario: string;
  outcome: 'CleanPass' | 'PassOnRetry' | 'Failed' | 'Skipped' | 'Aborted';
  /** Messages of all its errors, each in part, in order. */
  errors?: readonly string[];
  skipReason?: string;
  todo?: true;
};

type Files = Record<string, string>;

/**
 * One test framework: a small project for each point on which its publisher must tell the truth, and what the framework
 * itself makes of it. A further framework is a further one of these.
 */
export type Framework = {
  name: string;
  /** What is installed in the project. */
  packages: readonly string[];
  /** Arguments of Node that run all of a project's tests, or those of some files, with the publisher or without it. */
  args(options?: { told?: boolean; files?: readonly string[] }): string[];
  /** More arguments, or another configuration, that change in which order and in how many workers tests run. */
  otherOrder: { args?: readonly string[]; files?: Files; untold?: readonly string[] };
  /** One project with a test for each thing that can happen to a test. */
  example: {
    files: Files;
    /** The tests of equal name, in the order of the sources, by the end of their uid. */
    twins: readonly [string, string];
    expected: readonly Expected[];
    /** Where a test is written, where the framework tells. */
    line: { uid: string; line: number } | null;
    /** The compared values of the test `compares`, where the framework tells them. */
    compared: { expected: string; actual: string } | null;
    cause: string | null;
    /** Own tags, where the framework has them. */
    tags?: readonly string[];
  };
  /** Two files with one test each; the second fails. `args` is the framework's own way to shard, where it has one. */
  shards: { files: Files; first: string; second: string; args?(index: number, count: number): readonly string[] };
  /** One test that passes at once, one that hangs, and one that never gets its turn. */
  interrupted: { files: Files; due: number };
  /** A test that runs twice under two projects, or in two packages of one repository; uids in any order. */
  projects: { files: Files; args?: readonly string[]; uids: readonly string[] };
  /** A file with one test that prints `said aloud` and, where it can, `said aside`; and one that prints 200 KB. */
  output: { files: Files; stderr: boolean } | null;
};

export const compared = { expected: 'line one\nline two', actual: 'line one\nline 2' };
export const flood = `for (let n = 0; n < 4_000; n++) console.log('flood ' + n + ' ' + 'x'.repeat(40));`;
