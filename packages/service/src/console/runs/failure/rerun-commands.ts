import type { ScenarioView } from '../contract.ts';

/** Commands that run tests again: this one, those of its file, and all that failed. */
export type RerunCommands = { test: string | null; file: string | null; failed: string | null };

type WithRerun = Pick<ScenarioView, 'rerun'>;

/** Longer commands are refused by some shells. */
const longestCommand = 6_000;

export function rerunCommands(scenario: WithRerun, failed: readonly WithRerun[]): RerunCommands {
  const commands = [...new Set(failed.flatMap(({ rerun }) => rerun ?? []))];
  return {
    test: scenario.rerun,
    file: scenario.rerun && fileCommand(scenario.rerun),
    failed: commands.length > 1 ? joined(commands) : null,
  };
}

type Parts = { start: string; files: string; pattern: string | null; rest: string; flag: string };

/** `npx vitest run FILE -t PATTERN REST` and similar commands. */
const shapes: readonly { start: string; flag: string }[] = [
  { start: 'npx vitest run ', flag: ' -t ' },
  { start: 'npx jest ', flag: ' -t ' },
  { start: 'npx mocha ', flag: ' --grep ' },
  { start: 'npx playwright test ', flag: ' -g ' },
];

function partsOf(command: string): Parts | null {
  const shape = shapes.find(({ start }) => command.startsWith(start));
  if (!shape) return null;
  const [files, after] = wordIn(command.slice(shape.start.length));
  if (!after.startsWith(shape.flag)) return { ...shape, files, pattern: null, rest: after };
  const [pattern, rest] = wordIn(after.slice(shape.flag.length));
  return { ...shape, files, pattern, rest };
}

/** The first word by the rules of a shell, and the rest. */
function wordIn(text: string): [word: string, rest: string] {
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\' && !quoted) at += 1;
    else if (letter === "'") quoted = !quoted;
    else if (letter === ' ' && !quoted) return [text.slice(0, at), text.slice(at)];
  }
  return [text, ''];
}

/** The file without the line of a test. */
function fileCommand(command: string): string | null {
  const parts = partsOf(command);
  if (parts) return `${parts.start}${withoutLine(parts.files)}${parts.rest}`;
  const [runner = '', target = ''] = splitLast(command);
  if (runner === 'npx cucumber-js') return `${runner} ${withoutLine(target)}`;
  if (runner === 'python -m pytest') return `${runner} ${closed(target.split('::', 1)[0] ?? '')}`;
  if (runner.startsWith('node --test ')) return `node --test ${target}`;
  return null;
}

const closed = (word: string): string => (word.startsWith("'") && !word.endsWith("'") ? `${word}'` : word);

const splitLast = (command: string): [string, string] => {
  const words: string[] = [];
  for (let rest = command; rest !== ''; ) {
    const [word, after] = wordIn(rest.trimStart());
    words.push(word);
    rest = after;
  }
  return [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
};

const withoutLine = (file: string): string => file.replace(/:\d+('?)$/, '$1');

/** One command if the runner accepts several tests at once, otherwise one for each line. */
function joined(commands: readonly string[]): string {
  const [first = ''] = commands;
  const split = commands.map(partsOf);
  const parts = split.flatMap((one) => one ?? []);
  const [model] = parts;
  const isAlike = model && parts.length === commands.length && parts.every((one) => isLike(one, model));
  if (isAlike && model.start === 'npx playwright test ') {
    return bounded(
      `${model.start}${unique(parts.map(({ files }) => files))}${model.rest}`,
      'npx playwright test --last-failed',
    );
  }
  if (isAlike && model.pattern !== null) {
    const pattern = parts.map((one) => bare(one.pattern ?? '')).join('|');
    const files = unique(parts.map(({ files }) => files));
    return bounded(
      `${model.start}${files}${model.flag}'${pattern}'${model.rest}`,
      `${model.start}${files}${model.rest}`,
    );
  }
  const [runner] = splitLast(first);
  if (/^(npx cucumber-js|python -m pytest)$/.test(runner) && commands.every((one) => splitLast(one)[0] === runner)) {
    return bounded(`${runner} ${unique(commands.map((one) => splitLast(one)[1]))}`, commands.join('\n'));
  }
  return commands.join('\n');
}

const isLike = (one: Parts, model: Parts): boolean =>
  one.start === model.start && one.rest === model.rest && (one.pattern === null) === (model.pattern === null);
const unique = (words: readonly string[]): string => [...new Set(words)].join(' ');
/** Without the outer quotes. */
const bare = (word: string): string => (word.startsWith("'") && word.endsWith("'") ? word.slice(1, -1) : word);
const bounded = (command: string, shorter: string): string => (command.length <= longestCommand ? command : shorter);
