import type { MonitorEvent } from './events.ts';
import type { Outcome } from './run.ts';

/** The outcome names of other runners, compared by their letters, ignoring case. */
const words: readonly (readonly [Outcome, readonly string[]])[] = [
  ['CleanPass', ['cleanpass', 'passed', 'pass', 'ok', 'success', 'succeeded', 'successful', 'expected']],
  ['PassOnRetry', ['passonretry', 'passedonretry', 'flaky']],
  ['Failed', ['failed', 'fail', 'failure', 'error', 'errored', 'broken', 'unexpected', 'timeout', 'timedout']],
  ['Aborted', ['aborted', 'cancelled', 'canceled', 'interrupted', 'crashed', 'indeterminate']],
  [
    'Skipped',
    [
      ...['skipped', 'skip', 'ignored', 'pending', 'todo', 'disabled', 'explicit', 'inconclusive', 'warning'],
      ...['notexecuted', 'notrun', 'notrunnable'],
    ],
  ],
];

const byWord = new Map<string, Outcome>();
for (const [outcome, known] of words) for (const word of known) byWord.set(word, outcome);

/** The outcome for a runner's own name of it, in any case and spelling: `Passed`, `timed-out`, `NOT_RUN`. */
export const outcomeOfWord = (word: string | null | undefined): Outcome | undefined =>
  word ? (byWord.get(word) ?? byWord.get(word.toLowerCase().replace(/[^a-z]/g, ''))) : undefined;

/** Why a verdict is rejected: its outcome is unknown or missing. */
export function unknownOutcome(event: MonitorEvent | null): string | undefined {
  if (event?.type === 'scenario_finished') return faultOf('outcome', event.outcome);
  return event?.type === 'test_finished' ? faultOf('state', event.state) : undefined;
}

function faultOf(member: 'outcome' | 'state', word: string | null | undefined): string | undefined {
  if (outcomeOfWord(word)) return undefined;
  const given = word ? `${member} ${JSON.stringify(word.slice(0, 60))} is unknown` : `${member} is missing`;
  return `${given}; use one of ${knownWords}`;
}

const foreignWords = words.flatMap(([, [, ...foreign]]) => foreign).sort();

/** Our outcome names, and those of other runners as they write them: `passed`, `Passed`. */
export const wordsOfOutcomes: readonly string[] = [
  ...words.map(([outcome]) => outcome),
  ...foreignWords.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]),
];

/** Every accepted outcome name, ours first. */
export const knownWords = `CleanPass, PassOnRetry, Failed, Aborted, Skipped, and ${foreignWords.join(', ')}`;
