import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { publishedFolder } from '../../files/package-folder.ts';
import { FeedStream } from '../import/feed.ts';
import { GoTestStream } from '../import/go-test.ts';
import { LibtestStream } from '../import/libtest.ts';
import { LibtestJsonStream } from '../import/libtest-json.ts';
import type { ResultStream } from '../import/result-stream.ts';
import { TapStream } from '../import/tap.ts';
import { TeamcityStream } from '../import/teamcity.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** How the tests of a command are read, without changing its output. */
export type KnownRunner = {
  /** The program that runs the tests, without `npx`, `bundle exec` and the like. */
  name: string;
  command: readonly string[];
  env: Record<string, string>;
  /** Reads the command's output. */
  printed: ResultStream | null;
  /** Whether its standard error is part of its results. */
  readsErrors: boolean;
  /** Files and folders that grow while the tests run. */
  feeds: readonly { path: string; open: (file: string) => ResultStream }[];
  /** Whether the files may become complete only shortly after the command ends. */
  lags: boolean;
  /** Files and folders that are complete when the command has ended. */
  reports: readonly string[];
  /** The report with more details of a failure than the live output. */
  explains: string | null;
  hint: string | null;
};

type Found = { command: readonly string[]; at: number; name: string; args: readonly string[] };
type Asked = Found & { folder: string; env: Env };
type Reading = Partial<Omit<KnownRunner, 'name' | 'command'>> & { add?: readonly string[] };

const wrappers = new Set(['npx', 'bunx', 'pnpx', 'php', 'env', 'time', 'nice', 'xvfb-run']);
const twoWords = new Set([
  'bundle exec',
  'poetry run',
  'uv run',
  'pipenv run',
  'pnpm exec',
  'yarn exec',
  'npm exec',
  'hatch run',
  'rye run',
]);

const plain = (word = ''): string => basename(word).replace(/\.(?:exe|cmd|bat|phar)$/, '');

/** The program without its launcher: `bundle exec rspec` is rspec. */
function programIn(command: readonly string[]): Found {
  let at = 0;
  for (let moved = true; moved && at < command.length - 1; ) {
    const before = at;
    if (twoWords.has(`${plain(command[at])} ${command[at + 1]}`)) at += 2;
    else if (wrappers.has(plain(command[at]))) at += 1;
    while (at > before && /^(?:--|-\S+|\w+=.*)$/.test(command[at] ?? '') && at < command.length - 1) at += 1;
    moved = at > before;
  }
  const isModule = /^python[\d.]*$/.test(plain(command[at])) && command[at + 1] === '-m';
  if (isModule) at += 2;
  return { command, at, name: plain(command[at]), args: command.slice(at + 1) };
}

const has = (args: readonly string[], ...flags: readonly string[]): boolean =>
  args.some((arg) => flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));

const readers: Record<string, (asked: Asked) => Reading> = {
  go: ({ args }) => {
    if (args[0] !== 'test') return {};
    if (has(args, '-json', '--json')) return { printed: new GoTestStream(), readsErrors: true };
    return { hint: 'go test -json shows the tests one by one, and while they run.' };
  },
  gotestsum: ({ args, folder }) => {
    const file = join(folder, 'go.ndjson');
    return has(args, '--jsonfile')
      ? {}
      : { add: [`--jsonfile=${file}`], feeds: [{ path: file, open: () => new GoTestStream() }] };
  },
  cargo: ({ args }) => {
    if (args[0] === 'nextest' && args.some((arg) => arg.includes('libtest-json')))
      return { printed: new LibtestJsonStream() };
    return args.includes('test') || args[0] === 't' ? { printed: new LibtestStream(), readsErrors: true } : {};
  },
  prove: () => ({ readsErrors: true }),
  rspec: ({ folder, env }) => {
    const listener = listenerFile('ruby', 'signalbox_rspec.rb');
    const file = join(folder, 'rspec.ndjson');
    if (listener === null) return {};
    return {
      env: { SPEC_OPTS: `${env.SPEC_OPTS ?? ''} --require ${listener}`.trim(), SIGNALBOX_FEED: file },
      feeds: [{ path: file, open: () => new FeedStream() }],
    };
  },
  phpunit: ({ args, folder }) => {
    if (has(args, '--log-teamcity', '--teamcity', '--log-junit'))
      return has(args, '--teamcity') ? { printed: new TeamcityStream() } : {};
    const [live, whole] = [join(folder, 'teamcity.txt'), join(folder, 'phpunit.xml')];
    return {
      add: ['--log-teamcity', live, '--log-junit', whole],
      feeds: [{ path: live, open: () => new TeamcityStream() }],
      explains: whole,
    };
  },
  bats: ({ command, at, args, folder }) => {
    if (has(args, '--report-formatter', '-o', '--output', '--version', '--help') || !isAtLeast(command[at] ?? '', 1, 5))
      return {};
    const file = join(folder, 'report.log');
    const feeds = [{ path: file, open: () => new TapStream() }];
    return { add: ['--report-formatter', 'cat', '--output', folder], feeds, lags: true };
  },
  ctest: ({ command, at, args, folder }) => {
    const file = join(folder, 'ctest.xml');
    const isKnown = isAtLeast(command[at] ?? '', 3, 21);
    return has(args, '--output-junit') || !isKnown ? {} : { add: ['--output-junit', file], reports: [file] };
  },
  deno: ({ args, folder }) => {
    const file = join(folder, 'deno.xml');
    return args[0] !== 'test' || has(args, '--junit-path') ? {} : { add: [`--junit-path=${file}`], reports: [file] };
  },
  bun: ({ command, at, args, folder }) => {
    const file = join(folder, 'bun.xml');
    if (args[0] !== 'test' || has(args, '--reporter') || !isAtLeast(command[at] ?? '', 1, 2)) return {};
    return { add: ['--reporter=junit', `--reporter-outfile=${file}`], reports: [file] };
  },
  pytest: readPytest,
  'py.test': readPytest,
};

function readPytest({ env }: Asked): Reading {
  const listener = listenerFile('python', 'signalbox_pytest.py');
  if (listener === null) return {};
  const path = [join(listener, '..'), env.PYTHONPATH].filter(Boolean).join(delimiter);
  return { add: ['-p', 'signalbox_pytest'], env: { PYTHONPATH: path } };
}

/**
 * Recognises the runner of a command before it starts. If the runner can also write results to a file, it is asked
 * to, below `folder`.
 */
export function knownRunner(command: readonly string[], folder: string, env: Env): KnownRunner {
  const found = programIn(command);
  const {
    add = [],
    env: more = {},
    feeds = [],
    reports = [],
    ...reading
  } = readers[found.name]?.({ ...found, folder, env }) ?? {};
  const { at } = found;
  // The first words of an argument list are subcommands; arguments after `--` belong to another program.
  const words = command.slice(at + 1);
  const end = words.indexOf('--') < 0 ? words.length : words.indexOf('--');
  const isSafe = add.length === 0 || words.indexOf('--') < 0 || found.name !== 'deno';
  const added = isSafe ? add : [];
  const tap = join(folder, 'tap');
  const gtest = join(folder, 'gtest');
  mkdirSync(tap, { recursive: true });
  return {
    name: found.name || 'command',
    command: [...command.slice(0, at + 1), ...words.slice(0, end), ...added, ...words.slice(end)],
    env: {
      // These variables reach every Perl TAP harness and every GoogleTest program, however they are started.
      ...(env.PERL_TEST_HARNESS_DUMP_TAP === undefined && { PERL_TEST_HARNESS_DUMP_TAP: tap }),
      ...(env.GTEST_OUTPUT === undefined && found.name !== 'ctest' && { GTEST_OUTPUT: `xml:${gtest}/` }),
      ...more,
    },
    printed: null,
    readsErrors: false,
    lags: false,
    explains: null,
    hint: null,
    ...reading,
    feeds: [...feeds, { path: tap, open: (file) => new TapStream(file) }],
    reports: [...reports, gtest],
  };
}

/** A listener for a runner of another language. */
function listenerFile(language: string, name: string): string | null {
  const file = join(publishedFolder(`publisher/${language}`, `packages/publisher/${language}`), name);
  return existsSync(file) ? file : null;
}

function isAtLeast(program: string, major: number, minor: number): boolean {
  try {
    const said = execFileSync(program, ['--version'], {
      timeout: 5_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
    const [, one = 0, two = 0] = /\b(\d{1,6})\.(\d{1,6})/.exec(said)?.map(Number) ?? [];
    return one > major || (one === major && two >= minor);
  } catch {
    return false;
  }
}
