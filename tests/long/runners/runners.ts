import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Row = `${string}: ${'CleanPass' | 'Failed' | 'Skipped'}`;

/** A test runner, a small project with every outcome, and the runner's own report of it. */
export type Runner = {
  name: string;
  /** The program whose version is requested, to find out whether the runner is installed. */
  program: string;
  files: Record<string, string>;
  /** Files on the machine that the runner needs. */
  needs?: readonly string[];
  /** A test that sleeps this long. If it is missing, the runner reports no durations. */
  slow?: { name: string; ms: number };
  /** Runs first, if something must be built. */
  build?: readonly string[];
  command: readonly string[];
  /** The runner's own report, in a different format from the one that Signalbox reads. */
  own(folder: string): Row[];
  /** The name of a test, with a part of its message and its place. */
  failures: Record<string, { message: string; file?: string; line?: number }>;
};

const cache = process.env.SIGNALBOX_SUITES_CACHE ?? join(homedir(), '.cache/signalbox-suites');

export const isInstalled = ({ program, needs = [] }: Runner): boolean =>
  programOf(program) !== null && needs.every((file) => existsSync(file));

/** On the PATH, or installed from npm into a cache outside the repository. */
export function programOf(name: string, fromNpm: readonly string[] = []): string | null {
  const asked = name === 'go' ? ['version'] : ['--version'];
  if (spawnSync(name, asked).status === 0) return name;
  const folder = join(cache, name);
  const installed = join(folder, 'node_modules/.bin', name);
  if (!existsSync(installed) && fromNpm.includes(name)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent', name], { cwd: folder, stdio: 'inherit' });
  }
  return existsSync(installed) && spawnSync(installed, ['--version']).status === 0 ? installed : null;
}

/** The output of a command, whether it succeeds or not. */
export function printed(
  cwd: string,
  [program = '', ...args]: readonly string[],
  env: Record<string, string> = {},
): string {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
  });
  return `${stdout}\n${stderr}`;
}

const words = { PASS: 'CleanPass', FAIL: 'Failed', SKIP: 'Skipped' } as const;

/** `go test -v`, which prints the verdict of every test on a line. */
export const ownOfGo = (folder: string, ...more: readonly string[]): Row[] =>
  [...printed(folder, ['go', 'test', '-v', ...more]).matchAll(/--- (PASS|FAIL|SKIP): (\S+) \(/g)].map(
    ([, word, name]): Row => `${name}: ${words[word as keyof typeof words]}`,
  );

/** `cargo test -- --format=terse` only counts, so its usual lines are read, with a different expression from ours. */
export const ownOfCargo = (folder: string, ...more: readonly string[]): Row[] =>
  printed(folder, ['cargo', 'test', '--no-fail-fast', ...more])
    .split('\n')
    .filter((line) => line.startsWith('test ') && line.includes(' ... '))
    .map((line): Row => {
      const [name = '', verdict = ''] = line.slice('test '.length).split(' ... ');
      const outcome = verdict.startsWith('ok') ? 'CleanPass' : verdict.startsWith('ignored') ? 'Skipped' : 'Failed';
      return `${name.replace(' - should panic', '')}: ${outcome}`;
    });

/** The count of prove (`Files=5, Tests=14`) and its result for each file. */
export function countOfProve(folder: string, ...more: readonly string[]): number {
  const said = printed(folder, ['prove', ...more]);
  return Number(/^Files=\d+, Tests=(\d+)/m.exec(said)?.[1]);
}

export function ownOfRspec(folder: string, ...more: readonly string[]): Row[] {
  const said = printed(folder, ['rspec', '--format', 'json', ...more]);
  const { examples } = JSON.parse(said.slice(said.indexOf('{"version"'), said.lastIndexOf('}') + 1));
  const outcomes: Record<string, 'CleanPass' | 'Failed' | 'Skipped'> = {
    passed: 'CleanPass',
    failed: 'Failed',
    pending: 'Skipped',
  };
  return examples.map(
    (one: { full_description: string; status: string }): Row =>
      `${one.full_description.trim()}: ${outcomes[one.status] ?? 'Failed'}`,
  );
}

/** `pytest -rA` prints a word for each test. */
export function ownOfPytest(folder: string, ...more: readonly string[]): Row[] {
  const outcomes: Record<string, 'CleanPass' | 'Failed' | 'Skipped'> = {
    PASSED: 'CleanPass',
    FAILED: 'Failed',
    ERROR: 'Failed',
    SKIPPED: 'Skipped',
    XFAIL: 'Skipped',
  };
  const lines = printed(folder, ['python3', '-m', 'pytest', '-v', '-p', 'no:cacheprovider', ...more]).split('\n');
  return lines.flatMap((line): Row[] => {
    const [, name = '', word = ''] = /^(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL)\b/.exec(line) ?? [];
    const outcome = outcomes[word];
    return outcome === undefined ? [] : [`${name.split('::').slice(1).join(' > ')}: ${outcome}`];
  });
}

export function ownOfPhpunit(folder: string, ...more: readonly string[]): Row[] {
  const file = join(folder, 'testdox.txt');
  execFileSync('sh', ['-c', `phpunit --debug ${more.join(' ')} > ${file} 2>&1 || true`], { cwd: folder });
  const said = readFileSync(file, 'utf8');
  const began = [...said.matchAll(/Test '(?:[\w\\]+::)?(.+?)' started/g)].map(([, name = '']) => name);
  const listed = (heading: RegExp) => {
    const at = said.search(heading);
    const rest = at < 0 ? '' : said.slice(at);
    const end = rest.search(/\n--\n|\n(?:FAILURES|ERRORS|OK|Tests:)/);
    return [...rest.slice(0, end < 0 ? undefined : end).matchAll(/^\d+\) (?:[\w\\]+::)?(.+?)(?: \(.*\))?$/gm)].map(
      ([, name]) => name,
    );
  };
  const failed = new Set([
    ...listed(/There (?:was|were) \d+ errors?:/),
    ...listed(/There (?:was|were) \d+ failures?:/),
  ]);
  const left = new Set(['testSkips', 'testLater', 'testRisky']);
  return began.map((name): Row => {
    const plain = name.replace(/ \(.*\)$/, '');
    return `${plain}: ${failed.has(plain) ? 'Failed' : left.has(plain) ? 'Skipped' : 'CleanPass'}`;
  });
}

export const ownOfBats = (folder: string): Row[] =>
  printed(folder, ['bats', '--formatter', 'tap', '.'])
    .split('\n')
    .flatMap((line): Row[] => {
      const [, not, name = '', skip] = /^(not )?ok \d+ (.*?)( # skip.*)?$/.exec(line) ?? [];
      return name === '' ? [] : [`${name}: ${skip ? 'Skipped' : not ? 'Failed' : 'CleanPass'}`];
    });

export const ownOfCtest = (folder: string): Row[] =>
  printed(folder, ['ctest', '--test-dir', 'build'])
    .split('\n')
    .flatMap((line): Row[] => {
      const [, name = '', word = ''] =
        /Test +#\d+: (\S+) \.+ *(Passed|\*\*\*\S+(?: Run)?(?: \(\w+\))?)/.exec(line) ?? [];
      const outcome = word === 'Passed' ? 'CleanPass' : /Skipped|Disabled/.test(word) ? 'Skipped' : 'Failed';
      return name === '' ? [] : [`${name}: ${outcome}`];
    });

export const ownOfGtest = (folder: string): Row[] =>
  printed(folder, ['./cart_test', '--gtest_color=no'])
    .split('\n')
    .flatMap((line): Row[] => {
      const [, word = '', name = ''] = /^\[ +(OK|FAILED|SKIPPED) +\] \w+\.(\w+) \(\d+ ms\)/.exec(line) ?? [];
      return name === '' ? [] : [`${name}: ${word === 'OK' ? 'CleanPass' : word === 'SKIPPED' ? 'Skipped' : 'Failed'}`];
    });

/** Maven lists failed tests by name; skipped tests are only counted. */
export function ownOfMaven(folder: string, command: readonly string[], others: readonly Row[]): Row[] {
  const said = printed(folder, command);
  const failed = [
    ...said.matchAll(/^\[ERROR\] (?:(\w+)\([\w.]+\)|([\w.]+)) +Time elapsed: .* <<< (?:FAILURE|ERROR)!$/gm),
  ];
  const [, run, skipped] = /^\[\w+\] Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (\d+)$/m.exec(said) ?? [];
  const rows = [...failed.map(([, test, whole]): Row => `${test ?? whole}: Failed`), ...others];
  const left = rows.filter((row) => row.endsWith(': Skipped'));
  if (rows.length !== Number(run) || left.length !== Number(skipped)) throw new Error(`it says otherwise: ${said}`);
  return rows;
}

export const ownOfGradle = (folder: string, command: readonly string[]): Row[] =>
  printed(folder, command)
    .split('\n')
    .flatMap((line): Row[] => {
      const [, name = '', word = ''] = /^[\w.]+ > (\w+) (PASSED|FAILED|SKIPPED)$/.exec(line) ?? [];
      return name === '' ? [] : [`${name}: ${words[word.slice(0, 4) as keyof typeof words] ?? 'Skipped'}`];
    });
