import type { ScenarioView } from '../../live/wire.ts';

type Test = (scenario: ScenarioView) => boolean;

const outcomes: Readonly<Record<string, readonly ScenarioView['outcome'][]>> = {
  passed: ['CleanPass', 'PassOnRetry'],
  failed: ['Failed', 'Aborted'],
  aborted: ['Aborted'],
  skipped: ['Skipped'],
  retried: ['PassOnRetry'],
  open: [null],
  running: [null],
  lost: [null],
};

/** Prefixes before a colon, with their meaning. */
export const filterKeys = {
  status: 'passed, failed, aborted, skipped, todo, retried, lost',
  file: 'part of the path',
  suite: 'part of the titles around it',
  tag: 'a tag',
  project: "the runner's project",
  lane: 'its number',
  error: 'part of a message',
} as const;
type FilterKey = keyof typeof filterKeys;

const has = (text: string | null | undefined, part: string): boolean => (text ?? '').toLowerCase().includes(part);
const messages = ({ errorMessage, errors }: ScenarioView): string =>
  [errorMessage, ...errors.map(({ message }) => message)].join('\n');

const tests: Record<FilterKey, (value: string) => Test> = {
  status: (value) => {
    if (value === 'todo') return ({ todo }) => todo;
    const wanted = outcomes[value] ?? [];
    // A test that is still to be written does not count as skipped.
    return ({ outcome, todo }) => wanted.includes(outcome) && !(value === 'skipped' && todo);
  },
  file: (value) => (one) => has(one.file, value) || has(one.feature, value),
  suite: (value) => (one) => has(one.path.slice(0, -1).join(' > '), value),
  tag: (value) => (one) => one.tags.some((tag) => bareTag(tag) === bareTag(value)),
  project: (value) => (one) => has(one.project, value),
  lane: (value) => (one) => one.lane === Number(value.replace(/^l/, '')),
  error: (value) => (one) => has(messages(one), value),
};

const bareTag = (tag: string): string => tag.toLowerCase().replace(/^@/, '');

/**
 * The meaning of a filter: `status:failed file:cart tag:@smoke flaky lane:2 >5s`, and plain words that must all occur
 * in the name. A minus before a word negates it; quotes keep spaces together.
 */
export function scenarioFilter(text: string): Test {
  const all = wordsIn(text.toLowerCase()).map(testOf);
  return (scenario) => all.every((fits) => fits(scenario));
}

export const wordsIn = (text: string): string[] =>
  (text.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''));

function testOf(word: string): Test {
  if (word.length > 1 && word.startsWith('-')) {
    const fits = testOf(word.slice(1));
    return (scenario) => !fits(scenario);
  }
  const [, sign, amount, unit] = /^([<>])(\d+(?:\.\d+)?)(ms|s|min)?$/.exec(word) ?? [];
  if (amount !== undefined)
    return lasting(sign === '>', Number(amount) * (unit === 'ms' ? 1 : unit === 'min' ? 60_000 : 1_000));
  if (word === 'flaky') return ({ outcome, attempt }) => outcome === 'PassOnRetry' || attempt > 1;
  if (word.startsWith('@')) return tests.tag(word);
  const colon = word.indexOf(':');
  const key = word.slice(0, colon);
  if (colon > 0 && isKey(key)) return tests[key](word.slice(colon + 1));
  return ({ feature, scenario, project }) => has(`${feature} ${scenario} ${project ?? ''}`, word);
}

const isKey = (text: string): text is FilterKey => text in filterKeys;

const lasting =
  (longer: boolean, ms: number): Test =>
  ({ durationMs }) =>
    durationMs !== null && (longer ? durationMs > ms : durationMs < ms);

const statuses = ['failed', 'passed', 'retried', 'skipped', 'todo', 'lost'];

/** Completions of the last word. `known` are the files and tags of the run. */
export function completions(text: string, known: { files: readonly string[]; tags: readonly string[] }): string[] {
  const last = /(?:^|\s)(-?\S*)$/.exec(text)?.[1] ?? '';
  const before = text.slice(0, text.length - last.length);
  const minus = last.startsWith('-') ? '-' : '';
  const word = last.slice(minus.length).toLowerCase();
  const all = [
    ...statuses.map((status) => `status:${status}`),
    'flaky',
    '>1s',
    '>5s',
    ...known.tags.map((tag) => `tag:${tag}`),
    ...known.files.map((file) => `file:${file}`),
    ...Object.keys(filterKeys).map((key) => `${key}:`),
  ];
  return [...new Set(all)]
    .filter((one) => one.toLowerCase().startsWith(word) && one.toLowerCase() !== word)
    .slice(0, 12)
    .map((one) => `${before}${minus}${one.includes(' ') ? `"${one}"` : one}`);
}
