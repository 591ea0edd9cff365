import type { Tone } from '../../../ui/appearance.tsx';
import type { Bar } from './bars.ts';

type Name = Tone | 'line' | 'line-strong' | 'fg' | 'fg-2' | 'fg-3' | 'surface' | 'raised' | 'bg' | 'accent';
export type TimelineColours = Record<Name, string> & {
  /** How much of its colour fills a bar. */ fill: number;
  font: string;
};

const names: readonly Name[] = [
  ...(['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet'] as const),
  ...(['line', 'line-strong', 'fg', 'fg-2', 'fg-3', 'surface', 'raised', 'bg', 'accent'] as const),
];

/** The theme as a canvas needs it. */
export function timelineColours(element: HTMLElement): TimelineColours {
  const style = getComputedStyle(element);
  const found = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const fill = document.documentElement.dataset.theme === 'light' ? 0.3 : 0.46;
  return { ...(found as Record<Name, string>), fill, font: style.fontFamily };
}

/** From the best to the worst: where many share a pixel, the worst is seen. */
export const severity: readonly Tone[] = ['done', 'blocked', 'active', 'indet', 'warn', 'fail'];

export const toneOf = ({ rank }: Bar): Tone => severity[rank] ?? 'indet';

/** The index of a bar's tone in `severity`; stored on the bar, because every frame needs it for every bar. */
export const rankOf = (bar: Pick<Bar, 'outcome' | 'open' | 'attempt'>): number => severity.indexOf(stateOf(bar));

function stateOf({ outcome, open, attempt }: Pick<Bar, 'outcome' | 'open' | 'attempt'>): Tone {
  if (outcome === null) return open ? 'active' : 'indet';
  if (outcome === 'Failed' || outcome === 'Aborted') return 'fail';
  if (outcome === 'Skipped') return 'blocked';
  return outcome === 'PassOnRetry' || attempt > 1 ? 'warn' : 'done';
}
