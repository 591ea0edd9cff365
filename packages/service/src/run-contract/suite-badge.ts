import type { SuiteSummary } from './suites.ts';
import { xmlAttribute } from './xml.ts';

export type BadgeLook = 'badge' | 'runs';

const colours = {
  passed: '#0d6459',
  failed: '#860033',
  running: '#2d16ef',
  incomplete: '#656b92',
  unknown: '#656b92',
} as const;
type Verdict = keyof typeof colours;
type SuiteRun = SuiteSummary['runs'][number];

const verdictOf = (run: SuiteRun | undefined): Verdict => {
  if (!run) return 'unknown';
  if (run.state === 'running') return 'running';
  if (run.state === 'finished' && run.green === null) return 'incomplete';
  return run.green ? 'passed' : 'failed';
};

/** The approximate width of a letter. */
const letter = 6.6;
const runsDrawn = 30;

/**
 * A badge for a README: whether the last run of a suite passed. With `runs`, a bar for each of the last runs; its
 * height is the duration.
 */
export function suiteBadge(suite: string, summary: SuiteSummary | undefined, look: BadgeLook): string {
  const runs = summary?.runs ?? [];
  return look === 'runs'
    ? barsOf(suite, runs)
    : badgeOf(suite, verdictOf(runs.find(({ state }) => state !== 'running') ?? runs[0]));
}

function badgeOf(suite: string, verdict: Verdict): string {
  const word = verdict === 'unknown' ? 'no runs' : verdict;
  const widthOf = (text: string) => Math.round(text.length * letter) + 12;
  const [left, right] = [widthOf(suite), widthOf(word)];
  const text = (x: number, content: string) =>
    `<text x="${x}" y="14" fill="#fff" text-anchor="middle">${inText(content)}</text>`;
  return svg(left + right, 20, `${suite}: ${word}`, [
    `<rect rx="3" width="${left + right}" height="20" fill="#323a4a"/>`,
    `<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colours[verdict]}"/>`,
    text(left / 2, suite),
    text(left + right / 2, word),
  ]);
}

function barsOf(suite: string, runs: readonly SuiteRun[]): string {
  const drawn = runs.slice(0, runsDrawn).toReversed();
  const longest = Math.max(1, ...drawn.map(({ durationMs }) => durationMs ?? 0));
  const failed = drawn.filter((run) => verdictOf(run) === 'failed').length;
  const bars = drawn.map((run, index) => {
    const height = 8 + Math.round(((run.durationMs ?? 0) / longest) * 20);
    return `<rect x="${index * 6}" y="${32 - height}" width="5" height="${height}" rx="1" fill="${colours[verdictOf(run)]}"/>`;
  });
  return svg(Math.max(60, drawn.length * 6), 32, `${suite}: ${failed} of the last ${drawn.length} runs failed`, bars);
}

const svg = (width: number, height: number, title: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${inText(title)}" font-family="Verdana,sans-serif" font-size="11"><title>${inText(title)}</title>${parts.join('')}</svg>`;

const inText = (text: string): string => xmlAttribute(text.slice(0, 100));
