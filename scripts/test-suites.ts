import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Versions, versions } from '../tests/publishers/frameworks/versions.ts';

// Tries every publisher with every version of its framework that is supported, and writes the table of the guides.
// `--short` tries the oldest of each and writes nothing; names after it choose frameworks.

const root = join(import.meta.dirname, '..');
const cache = process.env.SIGNALBOX_SUITES_CACHE ?? join(homedir(), '.cache/signalbox-suites');
const guide = join(root, 'docs/guides/test-runner-versions.md');
const words = process.argv.slice(2);
const short = words.includes('--short');
const chosen = words.filter((word) => !word.startsWith('-'));

type Verdicts = ReadonlyMap<string, boolean>;
type Tried = { name: string; version: string; points: Verdicts };

/** Node is published per platform; the package that chooses one needs an install script, which is not run here. */
const packageOf = (name: string) => (name === 'node' ? `node-${process.platform}-${process.arch}` : name);

function install(name: string, version: string, beside: readonly string[]): string {
  const folder = installed(name, version, beside);
  // Some runners look for reporters beside themselves.
  const publisher = join(folder, 'node_modules/signalbox-publisher');
  rmSync(publisher, { force: true });
  symlinkSync(join(root, 'packages/publisher'), publisher);
  return folder;
}

function installed(name: string, version: string, beside: readonly string[]): string {
  const folder = join(cache, `${packageOf(name)}@${version}`.replace('/', '+'));
  const isThere = (one: string) =>
    existsSync(join(folder, 'node_modules', one.replace(/(.)@.*$/, '$1'), 'package.json'));
  if ([packageOf(name), ...beside].every(isThere)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  const exact = beside.map((one) => (one.lastIndexOf('@') > 0 ? one : `${one}@${version}`));
  const packages = [`${packageOf(name)}@${version}`, ...exact];
  execFileSync('npm', [...args, ...packages], { cwd: folder, stdio: 'inherit' });
  return folder;
}

function environmentFor(name: string, folder: string): Record<string, string> {
  if (name !== 'node') return { SIGNALBOX_SUITE_PACKAGES: folder };
  return { SIGNALBOX_SUITE_NODE: join(folder, 'node_modules', packageOf(name), 'bin/node') };
}

function tryVersion({ name, suite, modes, package: needed, beside = [] }: Versions, version: string): Tried {
  const env = environmentFor(needed, install(needed, version, beside));
  const report = join(tmpdir(), `signalbox-suites-${process.pid}.json`);
  const files = [suite, ...(modes ? [modes] : [])].map((one) => `tests/publishers/suites/${one}-versions.test.ts`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', `--outputFile=${report}`];
  spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'ignore' });
  const results = existsSync(report) ? resultsIn(readFileSync(report, 'utf8')) : [];
  rmSync(report, { force: true });
  const failed = results.filter(({ passed }) => !passed);
  const verdict = results.length === 0 ? 'did not run' : failed.length === 0 ? 'ok' : 'FAILED';
  const reasons = failed.map(
    ({ point, messages }) => `\n  ${point}: ${messages.join('\n').replaceAll('\n', '\n    ')}`,
  );
  process.stdout.write(`${`${name} ${version}`.padEnd(20)} ${verdict}${reasons.join('')}\n`);
  return { name, version, points: new Map(results.map(({ point, passed }) => [point, passed])) };
}

/** A point is what stands before the colon of a title. */
function resultsIn(report: string): { point: string; passed: boolean; messages: readonly string[] }[] {
  type Assertion = { title: string; status: string; failureMessages?: string[] };
  const { testResults } = JSON.parse(report) as { testResults: { assertionResults: Assertion[] }[] };
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ title, status, failureMessages = [] }) => {
      return { point: title.split(':')[0] ?? title, passed: status === 'passed', messages: failureMessages };
    });
}

function table(all: readonly Tried[]): string {
  const known = rowsOnPage()[0]?.slice(2, -1) ?? [];
  const points = [...new Set([...known, ...all.flatMap((tried) => [...tried.points.keys()])])];
  const mark = (passed: boolean | undefined) => (passed === undefined ? '–' : passed ? 'yes' : 'no');
  const rows = all.map(
    (tried) =>
      `| ${tried.name} ${tried.version} | ${points.map((point) => mark(tried.points.get(point))).join(' | ')} |`,
  );
  return [`| | ${points.join(' | ')} |`, `|---|${points.map(() => '---').join('|')}|`, ...rows].join('\n');
}

const text = (all: readonly Tried[]) => `# Versions of test runners

Every publisher is tested with these versions on the points below; each point is a test. \`npm run test:suites\` installs the
versions into a cache outside the repository, tests them and writes this page.

${table(all)}

- **identity**: the same test has the same uid, in any order and with any number of workers; two tests with the same name have different uids.
- **counts**, **retries**: every test is counted once with the verdict of the runner; a further attempt is never a second test.
- **errors**: all errors, with the compared values, their places and their causes.
- **hooks and skips**: a failed hook is reported once, and the tests that it prevented name it; skipped and todo tests have their reasons.
- **interruption**: which signal ended the run, and which tests had not run yet.
- **shards**, **participants**: several processes publish one run, under \`signalbox run\` as well as on their own.
- **projects**: a test that runs in two projects counts as two tests.
- **output**: the output of a test, also if it passed, at most 64 KB of it.
- **modes**: \`--shard\`, projects, \`--changed\` and type checks, compared with the runner's own report: nothing is lost.
- **watch**: each rerun is a separate run. **browser**: tests that run in Chromium, compared with the runner's own report.

If an older version cannot report something, one line on standard error names it, and the run continues.
`;

/** The cells of the table as it is, the heads first; the first cell and the last are empty. */
const rowsOnPage = (): string[][] =>
  readFileSync(guide, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** What was tried before is on the page, so that trying one framework again leaves the others in the table. */
function everTried(now: readonly Tried[]): Tried[] {
  const rows = rowsOnPage();
  const [heads = []] = rows;
  const onPage = (label: string): Verdicts => {
    const cells = rows.find((row) => row[1] === label) ?? [];
    const known = heads.map((point, at) => [point, cells[at]] as const).slice(2);
    return new Map(
      known.flatMap(([point, mark]) => (mark === 'yes' || mark === 'no' ? [[point, mark === 'yes']] : [])),
    );
  };
  return versions.flatMap(({ name, versions: each }) =>
    each.map((version) => {
      const before = { name, version, points: onPage(`${name} ${version}`) };
      return now.find((one) => one.name === name && one.version === version && one.points.size > 0) ?? before;
    }),
  );
}

const wanted = versions.filter(({ suite }) => chosen.length === 0 || chosen.includes(suite));
const tried = wanted.flatMap((framework) =>
  (short ? framework.versions.slice(0, 1) : framework.versions).map((version) => tryVersion(framework, version)),
);
if (!short) writeFileSync(guide, text(everTried(tried)));
const isGood = ({ points }: Tried) => points.size > 0 && [...points.values()].every(Boolean);
process.exitCode = tried.every(isGood) ? 0 : 1;
