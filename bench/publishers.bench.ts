import { binOf, createProject } from '../tests/publishers/project.ts';
import { type Behaviour, openConsole } from '../tests/publishers/recording-console.ts';

// The cost of a publisher for a real suite of 300 tests of about 5 ms each, with different programs on the console's port: its
// share of the main thread, and the wall time against two runs without it, in turn.
const tests = 300;
const work = 'const end = performance.now() + 5; while (performance.now() < end);';
const body = (head: string, name: string) =>
  `${head} for (let n = 0; n < ${tests / 2}; n++) ${name}('test ' + n, () => { ${work} });`;
const twice = (name: (n: number) => string, text: string) => ({ [name(0)]: text, [name(1)]: text });

type Framework = {
  name: string;
  packages: string[];
  plain: string[];
  reporting: string[];
  files: Record<string, string>;
};

const nodeTest = ['--test', '--test-reporter=dot', '--test-reporter-destination=stdout'];
const mocha = [binOf('mocha/bin/mocha.js'), 'test/*.test.js'];
const cucumber = [binOf('@cucumber/cucumber/bin/cucumber.js'), '--format', 'summary'];
const playwright = [binOf('@playwright/test/cli.js'), 'test', '--workers=2'];
const jest = [binOf('jest/bin/jest.js'), '--maxWorkers=2', '--reporters=default'];
const vitest = [binOf('vitest/vitest.mjs'), 'run', '--reporter=dot'];

const frameworks: Framework[] = [
  {
    name: 'Vitest',
    packages: ['vitest'],
    plain: vitest,
    reporting: [...vitest, '--reporter=signalbox-publisher/vitest'],
    files: twice((n) => `many-${n}.test.js`, body(`import { test } from 'vitest';`, 'test')),
  },
  {
    name: 'node:test',
    packages: [],
    plain: nodeTest,
    reporting: [...nodeTest, '--test-reporter=signalbox-publisher/node-test', '--test-reporter-destination=stderr'],
    files: twice((n) => `many-${n}.test.js`, body(`import { test } from 'node:test';`, 'test')),
  },
  {
    name: 'Mocha',
    packages: ['mocha'],
    plain: [...mocha, '--reporter', 'dot'],
    reporting: [...mocha, '--reporter', 'signalbox-publisher/mocha', '--reporter-option', 'inner=dot'],
    files: twice((n) => `test/many-${n}.test.js`, body('', 'it')),
  },
  {
    name: 'Jest',
    packages: ['jest'],
    plain: jest,
    reporting: [...jest, '--reporters=signalbox-publisher/jest'],
    files: {
      'package.json': '{"name":"shop","jest":{"transform":{}}}',
      ...twice((n) => `many-${n}.test.js`, body('', 'test')),
    },
  },
  {
    name: 'Playwright',
    packages: ['@playwright/test'],
    plain: [...playwright, '--reporter=dot'],
    reporting: [...playwright, '--reporter=dot,signalbox-publisher/playwright'],
    files: twice((n) => `many-${n}.spec.js`, body(`import { test } from '@playwright/test';`, 'test')),
  },
  {
    name: 'Cucumber',
    packages: ['@cucumber/cucumber'],
    plain: cucumber,
    reporting: [...cucumber, '--plugin', 'signalbox-publisher/cucumber'],
    files: {
      'features/steps.js': `import { Given } from '@cucumber/cucumber'; Given('work', () => { ${work} });`,
      'features/many.feature': `Feature: Many\n${Array.from({ length: tests }, (_, n) => `  Scenario: test ${n}\n    Given work\n`).join('')}`,
    },
  },
];

const moods: ('absent' | Behaviour)[] = ['absent', 'foreign', 'console', 'hangs', 'fails', 'dies'];
for (const { name, packages, plain, reporting, files } of frameworks) {
  await using project = await createProject(files, packages);
  await project.run(plain);
  const before = await project.run(plain);
  console.log(`${name}: plain ${before.ms.toFixed(0)} ms`);
  for (const mood of moods) {
    await using port = await openConsole(mood === 'absent' ? 'console' : mood);
    const url = mood === 'absent' ? 'http://127.0.0.1:9' : port.url;
    const { code, ms } = await project.run(reporting, { SIGNALBOX_URL: url, SIGNALBOX_MEASURE: 'spent.json' });
    const { cpuMs, longestMs } = JSON.parse(await project.read('spent.json')) as Record<string, number>;
    const share = (100 * (cpuMs ?? 0)) / ms;
    console.log(
      `  ${mood.padEnd(8)} exit ${code}  wall ${ms.toFixed(0).padStart(6)} ms  main thread ${(cpuMs ?? 0).toFixed(1).padStart(6)} ms = ${share.toFixed(2)} %  longest ${(longestMs ?? 0).toFixed(1)} ms`,
    );
  }
  const after = await project.run(plain);
  console.log(`  plain again ${after.ms.toFixed(0)} ms`);
}
