import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cucumberTests, jestTests, mochaTests, nodeTests, type OwnTest } from './own-report.ts';

/** How to run the suite of a checkout with our publisher and the runner's own report. */
export type ProjectRunner = {
  name: string;
  told(report: string): { command: string[]; env: Record<string, string> };
  own(report: string, root: string): OwnTest[];
  /** The runner's report joins titles with spaces. */
  joined: boolean;
};

/** The contents of `signalbox-project.json` in a checkout: its runner, and further arguments. */
type Said = { runner: keyof typeof runners; args?: string[]; env?: Record<string, string> };

const bin = (folder: string, name: string) => join(folder, 'node_modules/.bin', name);

/** Copies what `npm install` would put there: some versions of Vite load nothing through a link out of the project. */
export function installPublisher(folder: string): void {
  const publisher = join(import.meta.dirname, '../../../packages/publisher');
  const target = join(folder, 'node_modules/signalbox-publisher');
  rmSync(target, { recursive: true, force: true });
  for (const name of ['package.json', 'dist']) cpSync(join(publisher, name), join(target, name), { recursive: true });
}

type Make = (folder: string, args: readonly string[], env: Record<string, string>) => ProjectRunner;

const vitest: Make = (folder, args, env) => ({
  name: 'Vitest',
  joined: false,
  own: jestTests,
  told: (report) => ({
    command: [
      bin(folder, 'vitest'),
      'run',
      ...args,
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--reporter=signalbox-publisher/vitest',
    ],
    env,
  }),
});

const jest: Make = (folder, args, env) => ({
  name: 'Jest',
  joined: false,
  own: jestTests,
  told: (report) => ({
    command: [bin(folder, 'jest'), ...args, '--json', `--outputFile=${report}`, '--reporters=signalbox-publisher/jest'],
    env,
  }),
});

/** Mocha has one reporter; ours also runs Mocha's JSON reporter. */
const mocha: Make = (folder, args, env) => ({
  name: 'Mocha',
  joined: true,
  own: mochaTests,
  told: (report) => ({
    command: [
      bin(folder, 'mocha'),
      ...args,
      '--reporter',
      'signalbox-publisher/mocha',
      '--reporter-option',
      `inner=json,output=${report}`,
    ],
    env,
  }),
});

const nodeTest: Make = (_folder, args, env) => ({
  name: 'node:test',
  joined: false,
  own: nodeTests,
  told: (report) => ({
    command: [
      'node',
      '--test',
      `--test-reporter=${join(import.meta.dirname, 'node-own-reporter.mjs')}`,
      `--test-reporter-destination=${report}`,
      '--test-reporter=signalbox-publisher/node-test',
      '--test-reporter-destination=stderr',
      ...args,
    ],
    env,
  }),
});

/** Run from its own folder, because Cucumber's own repository is one of the compared projects. */
const cucumber: Make = (folder, args, env) => ({
  name: 'Cucumber',
  joined: false,
  own: cucumberTests,
  told: (report) => ({
    command: [
      'node',
      [join(folder, 'bin/cucumber.js'), join(folder, 'node_modules/@cucumber/cucumber/bin/cucumber.js')].find(
        existsSync,
      ) ?? '',
      ...['--format', `json:${report}`, '--plugin', 'signalbox-publisher/cucumber', ...args],
    ],
    env,
  }),
});

const runners = { vitest, jest, mocha, 'node-test': nodeTest, cucumber };

/** The runner that a checkout names, otherwise the one among its dependencies. */
export function runnerOf(folder: string): ProjectRunner | null {
  const read = (file: string) =>
    existsSync(join(folder, file)) ? JSON.parse(readFileSync(join(folder, file), 'utf8')) : null;
  const said = read('signalbox-project.json') as Said | null;
  if (said) return runners[said.runner](folder, said.args ?? [], said.env ?? {});
  const { devDependencies = {} } = (read('package.json') ?? {}) as { devDependencies?: Record<string, string> };
  const known = (['vitest', 'jest', 'mocha'] as const).find((name) => name in devDependencies);
  return known ? runners[known](folder, [], {}) : null;
}
