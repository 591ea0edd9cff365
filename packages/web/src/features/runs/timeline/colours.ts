import type { Tone } from '../../../ui/appearance.tsx';

type Name = Tone | 'line' | 'line-strong' | 'fg' | 'fg-2' | 'fg-3' | 'surface' | 'raised' | 'bg' | 'accent';
export type TimelineColours = Record<Name, string> & {
  /** How strongly its colour fills a bar. */ fill: number;
  font: string;
};

const names: readonly Name[] = [
  ...(['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet', 'handed'] as const),
  ...(['line', 'line-strong', 'fg', 'fg-2', 'fg-3', 'surface', 'raised', 'bg', 'accent'] as const),
];

/** The theme's colours for a canvas. */
export function timelineColours(element: HTMLElement): TimelineColours {
  const style = getComputedStyle(element);
  const found = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const fill = document.documentElement.dataset.theme === 'light' ? 0.3 : 0.46;
  return { ...(found as Record<Name, string>), fill, font: style.fontFamily };
}
