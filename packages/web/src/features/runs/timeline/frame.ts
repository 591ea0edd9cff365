import type { Tone } from '../../../ui/appearance.tsx';
import type { TimeSpan } from './time-span.ts';

/** The time axis, and below it a tick for each failure. */
export const axisHeight = 34;
export const footHeight = 20;
export const rightEdge = 12;

/** The height of a row if there is room. With many rows they are lower, so that all of them are visible. */
const fullRowHeight = 26;
const leastRowHeight = 14;
const roomForRows = 9 * fullRowHeight;

export const rowHeightFor = (rows: number): number =>
  Math.max(leastRowHeight, Math.min(fullRowHeight, Math.floor(roomForRows / Math.max(1, rows))));

export type Scale = { span: TimeSpan; gutter: number; rowHeight: number };

export type Frame = Scale & {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  colours: TimelineColours;
  x: (at: number) => number;
};

/** The canvas at the size of its element, in pixels of the screen; null if there is no room for bars. */
export function frameOf(canvas: HTMLCanvasElement, { span, gutter, rowHeight }: Scale): Frame | null {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext('2d');
  if (!context || width <= gutter) return null;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const colours = timelineColours(canvas);
  context.font = `500 11px ${colours.font}`;
  const scale = (width - gutter - rightEdge) / (span.to - span.from);
  return { context, width, height, gutter, rowHeight, colours, span, x: (at) => gutter + (at - span.from) * scale };
}

type Name = Tone | 'line' | 'line-strong' | 'fg' | 'fg-2' | 'fg-3' | 'surface' | 'raised' | 'bg' | 'accent';
type TimelineColours = Record<Name, string> & {
  /** How strongly its colour fills a bar. */ fill: number;
  font: string;
};

const names: readonly Name[] = [
  ...(['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet', 'handed'] as const),
  ...(['line', 'line-strong', 'fg', 'fg-2', 'fg-3', 'surface', 'raised', 'bg', 'accent'] as const),
];

/** The theme's colours for a canvas. */
function timelineColours(element: HTMLElement): TimelineColours {
  const style = getComputedStyle(element);
  const found = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const fill = document.documentElement.dataset.theme === 'light' ? 0.3 : 0.46;
  return { ...(found as Record<Name, string>), fill, font: style.fontFamily };
}
