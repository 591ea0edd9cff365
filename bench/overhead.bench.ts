import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { binOf, createProject, type Project } from '../tests/publishers/project.ts';
import { start } from '../tests/start.ts';

// What a publisher adds to the wall time of a suite of more than 3 s: 600 tests of some 10 ms in two files, with a real console and
// without the publisher, in turn. `--rounds=5` measures more often; names choose frameworks. A publisher that itself takes more than 2 % of the run fails.
const tests = 300;
/** The publisher's allowed share of the thread that runs the tests; wall times of whole runs vary by more than this. */
const mostPercent = 2;
// Computes instead of waiting, because on a busy machine only CPU time can be compared.
const work = 'let sum = 0; for (let n = 0; n < 9_000_000; n++) sum += n % 7; if (sum < 0) throw sum;';
const body = (head: string, name: string) =>
  `${head} for (let n = 0; n < ${tests}; n++) ${name}('test ' + n, () => { ${work} });`;
const twice = (name: (n: number) => string, text: string) => ({ [name(0)]: text, [name(1)]: text });
const scenarios = Array.from({ length: tests }, (_, n) => `  Scenario: test ${n}\n    Given work\n`).join('');

type Suite = {
  packages: string[];
  plain: string[];
  told: string[];
  env?: Record<string, string>;
  files: Record<string, string>;
};
/** A program in another language, started like the others. */
const inNode = (program: string, ...args: string[]) => [
  '-e',
  `process.exitCode = require('node:child_process').spawnSync('${program}', ${JSON.stringify(args)}, { stdio: 'inherit' }).status ?? 1`,
];
const nodeTest = ['--test', '--test-reporter=dot', '--test-reporter-destination=stdout'];
const mocha = [binOf('mocha/bin/mocha.js'), 'test/*.test.js'];
const cucumber = [binOf('@cucumber/cucumber/bin/cucumber.js'), '--format', 'summary'];
const playwright = [binOf('@playwright/test/cli.js'), 'test', '--workers=2'];
const jest = [binOf('jest/bin/jest.js'), '--maxWorkers=2', '--reporters=default'];
const vitest = [binOf('vitest/vitest.mjs'), 'run', '--reporter=dot'];

const suites: Record<string, Suite> = {
  Vitest: {
    packages: ['vitest'],
    plain: vitest,
    told: [...vitest, '--reporter=signalbox-publisher/vitest'],
    files: twice((n) => `many-${n}.test.js`, body(`import { test } from 'vitest';`, 'test')),
  },
  'node:test': {
    packages: [],
    plain: nodeTest,
    told: [...nodeTest, '--test-reporter=signalbox-publisher/node-test', '--test-reporter-destination=stderr'],
    files: twice((n) => `many-${n}.test.js`, body(`import { test } from 'node:test';`, 'test')),
  },
  Mocha: {
    packages: ['mocha'],
    plain: [...mocha, '--reporter', 'dot'],
    told: [...mocha, '--reporter', 'signalbox-publisher/mocha', '--reporter-option', 'inner=dot'],
    files: twice((n) => `test/many-${n}.test.js`, body('', 'it')),
  },
  Jest: {
    packages: ['jest'],
    plain: jest,
    told: [...jest, '--reporters=signalbox-publisher/jest'],
    files: {
      'package.json': '{"name":"shop","jest":{"transform":{}}}',
      ...twice((n) => `many-${n}.test.js`, body('', 'test')),
    },
  },
  Playwright: {
    packages: ['@playwright/test'],
    plain: [...playwright, '--reporter=dot'],
    told: [...playwright, '--reporter=dot,signalbox-publisher/playwright'],
    files: twice((n) => `many-${n}.spec.js`, body(`import { test } from '@playwright/test';`, 'test')),
  },
  Cucumber: {
    packages: ['@cucumber/cucumber'],
    plain: cucumber,
    told: [...cucumber, '--plugin', 'signalbox-publisher/cucumber'],
    files: {
      'features/steps.js': `import { Given } from '@cucumber/cucumber'; Given('work', () => { ${work} });`,
      ...twice((n) => `features/many-${n}.feature`, `Feature: Many\n${scenarios}`),
    },
  },
  pytest: {
    packages: [],
    plain: inNode('python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'),
    told: inNode('python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'signalbox_pytest'),
    env: { PYTHONPATH: join(import.meta.dirname, '../packages/publisher/python') },
    files: twice(
      (n) => `test_many_${n}.py`,
      `import pytest\n@pytest.mark.parametrize('n', range(${tests}))\ndef test_one(n): assert sum(m % 7 for m in range(150_000)) > 0\n`,
    ),
  },
};

type Spent = { startMs: number; cpuMs: number; closeMs: number; threadMs: number };
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('-'));
const rounds = Number(words.find((word) => word.startsWith('--rounds='))?.slice(9) ?? 3);

/** CPU time of all ended children of this process, workers included; only Linux reports it. */
function childrenMs(): number {
  const [, , , , , , , , , , , , , user = 0, system = 0] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  return (user + system) * 10;
}

/** Only for publishers in Node. */
const spentIn = async (project: Project): Promise<Spent> =>
  JSON.parse(await project.read('spent.json').catch(() => '{"startMs":0,"cpuMs":0,"closeMs":0,"threadMs":0}'));

async function oneRound(project: Project, { plain, told, env = {} }: Suite, url: string) {
  const before = childrenMs();
  const without = await project.run(plain, env);
  const between = childrenMs();
  const withIt = await project.run(told, { ...env, SIGNALBOX_URL: url, SIGNALBOX_MEASURE: 'spent.json' });
  const cpu = { plain: between - before, told: childrenMs() - between };
  if (without.code !== 0 || withIt.code !== 0) throw new Error(`it failed: ${withIt.stdout}${withIt.stderr}`);
  return { plain: without.ms, told: withIt.ms, cpu, spent: await spentIn(project) };
}

console.log(`load ${loadavg()[0]?.toFixed(2)}, ${rounds} rounds in turn, median`);
console.log(
  '| | alone ms | published ms | more, each round | more, the quickest of each | more processor time, median | thread started ms | own work ms | last words ms | sending thread computed ms | own, of the run |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|');
for (const [name, suite] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  await using service = await start();
  await using project = await createProject(suite.files, suite.packages);
  await project.run(suite.plain);
  const all: Awaited<ReturnType<typeof oneRound>>[] = [];
  for (let n = 0; n < rounds; n++) all.push(await oneRound(project, suite, service.consoleUrl));
  const more = all.map(({ plain, told }) => (100 * (told - plain)) / plain);
  // Other load only makes a run slower, so the fastest run is the most meaningful.
  const [quickest, quickestTold] = [
    Math.min(...all.map(({ plain }) => plain)),
    Math.min(...all.map(({ told }) => told)),
  ];
  const least = (100 * (quickestTold - quickest)) / quickest;
  const computed = median(all.map(({ cpu }) => (100 * (cpu.told - cpu.plain)) / cpu.plain));
  const spent = (member: keyof Spent) => median(all.map((round) => round.spent[member])).toFixed(0);
  const ms = (member: 'plain' | 'told') => median(all.map((round) => round[member])).toFixed(0);
  const each = more.map((share) => `${share.toFixed(1)} %`).join(', ');
  const parts = `${spent('startMs')} | ${spent('cpuMs')} | ${spent('closeMs')} | ${spent('threadMs')}`;
  const own = median(all.map(({ told, spent: of }) => (100 * (of.startMs + of.cpuMs + of.closeMs)) / told));
  if (own > mostPercent) process.exitCode = 1;
  console.log(
    `| ${name} | ${ms('plain')} | ${ms('told')} | ${each} | ${least.toFixed(1)} % | ${computed.toFixed(1)} % | ${parts} | ${own.toFixed(1)} % |`,
  );
}
console.log(`load ${loadavg()[0]?.toFixed(2)} at the end`);
