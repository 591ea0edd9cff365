import { relative } from 'node:path';

/** One test as the runner itself reports it. */
export type OwnTest = {
  /** Relative to the repository. */
  file: string;
  path: readonly string[];
  state: 'passed' | 'failed' | 'skipped';
  line: number | null;
  /** Null if the runner's report does not contain it. */
  retried: boolean | null;
};

type JestLike = {
  testResults: {
    name: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      location?: { line: number } | null;
      invocations?: number;
    }[];
  }[];
};

/** In a type check, Vitest's report uses the file itself as the first suite. */
const suitesIn = ([first = '', ...rest]: readonly string[], file: string): string[] =>
  first.includes('/') && file.endsWith(`/${first}`) ? rest : [first, ...rest];

const states: Record<string, OwnTest['state']> = { passed: 'passed', failed: 'failed' };

/** Reads the output of `--reporter=json` of Vitest and `--json` of Jest. */
export function jestTests(text: string, root: string): OwnTest[] {
  return (JSON.parse(text) as JestLike).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, location, invocations = 1 }) => ({
      file: relative(root, name),
      path: [...suitesIn(ancestorTitles, name), title].filter((one) => one !== ''),
      state: states[status] ?? 'skipped',
      line: location?.line ?? null,
      retried: invocations > 1,
    })),
  );
}

type MochaReport = {
  tests: { file: string; title: string; fullTitle: string; currentRetry?: number; err?: object }[];
  pending: { fullTitle: string; file: string }[];
  failures: { fullTitle: string; file: string; title: string }[];
  passes: { fullTitle: string; file: string }[];
};

/** Reads the output of `--reporter json` of Mocha; its titles are joined, so they are compared joined. */
export function mochaTests(text: string, root: string): OwnTest[] {
  const { passes, pending, failures } = JSON.parse(text.slice(text.indexOf('{\n  "stats"'))) as MochaReport;
  const of = (list: readonly { fullTitle: string; file: string }[], state: OwnTest['state']) =>
    list.map(({ fullTitle, file }) => ({
      file: relative(root, file ?? ''),
      path: [fullTitle],
      state,
      line: null,
      retried: null,
    }));
  return [...of(passes, 'passed'), ...of(pending, 'skipped'), ...of(failures, 'failed')];
}

type NodeLine = { file: string; path: string[]; state: OwnTest['state']; line: number };

/** Reads the output of our own small reporter of node:test's events, one test per line. */
export const nodeTests = (text: string, root: string): OwnTest[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as NodeLine)
    .map((test) => ({ ...test, file: relative(root, test.file), retried: false }));

type CucumberReport = {
  uri: string;
  elements: { type: string; name: string; line: number; steps: { result?: { status: string } }[] }[];
}[];

/** Reads the output of `--format json` of Cucumber: for a retried scenario it has only the last attempt, unmarked. */
export const cucumberTests = (text: string): OwnTest[] =>
  (JSON.parse(text) as CucumberReport).flatMap(({ uri, elements }) =>
    elements
      .filter(({ type }) => type === 'scenario')
      .map(({ name, line, steps }) => {
        const has = (...statuses: string[]) => steps.some(({ result }) => statuses.includes(result?.status ?? ''));
        const failed = has('failed', 'undefined', 'ambiguous');
        const state = failed ? 'failed' : has('skipped', 'pending') ? 'skipped' : 'passed';
        return { file: uri, path: [name], state, line, retried: null };
      }),
  );
