import type { Tone } from '../../../ui/appearance.tsx';
import { formatDuration } from '../../../ui/time.tsx';
import type { Bar } from './bars.ts';
import type { TimelineColours } from './colours.ts';
import { firstAfter, type TimelineRow } from './rows.ts';
import { severity, toneOf } from './severity.ts';
import type { TimeSpan } from './time-span.ts';

/** The height of a row if there is room. With many rows they are lower, so that all of them are visible. */
const fullRowHeight = 26;
const leastRowHeight = 14;
const roomForRows = 9 * fullRowHeight;

export const rowHeightFor = (rows: number): number =>
  Math.max(leastRowHeight, Math.min(fullRowHeight, Math.floor(roomForRows / Math.max(1, rows))));
/** Narrower bars are drawn together, one pixel each. */
const narrow = 3;

export type Frame = {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  gutter: number;
  rowHeight: number;
  colours: TimelineColours;
  span: TimeSpan;
  x: (at: number) => number;
};

/** Draws one row; bars too short to be seen are drawn together, in the colour of the worst. */
export function paintRow(frame: Frame, { bars }: TimelineRow, top: number, chosen: Bar | null): void {
  const { span, x, width } = frame;
  const pixels = new Int8Array(Math.ceil(width) + 2).fill(-1);
  for (let index = firstAfter(bars, span.from); index < bars.length; index += 1) {
    const bar = bars[index];
    if (!bar || bar.from > span.to) break;
    const [left, right] = [x(bar.from), x(bar.to)];
    if (right - left >= narrow) paintBar(frame, bar, left, right, top);
    else notePixels(pixels, left, right, bar.rank);
  }
  paintPixels(frame, pixels, top);
  if (chosen && bars.includes(chosen)) outline(frame, chosen, top);
}

function notePixels(pixels: Int8Array, left: number, right: number, rank: number): void {
  const last = Math.min(pixels.length - 1, Math.max(Math.floor(left), Math.ceil(right) - 1));
  for (let at = Math.max(0, Math.floor(left)); at <= last; at += 1) if (rank > (pixels[at] ?? -1)) pixels[at] = rank;
}

/** The position of a bar in its row. A failed bar is as high as its row, so that its shape shows the failure too. */
function extentOf({ rowHeight }: Frame, top: number, tone: Tone): { y: number; high: number } {
  const inset = tone === 'fail' ? 1 : rowHeight >= 20 ? 4 : 3;
  return { y: top + inset, high: rowHeight - 2 * inset };
}

function paintPixels(frame: Frame, pixels: Int8Array, top: number): void {
  const { context, colours } = frame;
  for (let at = 0; at < pixels.length; ) {
    const rank = pixels[at] ?? -1;
    let end = at + 1;
    while (end < pixels.length && pixels[end] === rank) end += 1;
    const tone = severity[rank];
    if (tone) {
      context.fillStyle = colours[tone];
      const { y, high } = extentOf(frame, top, tone);
      // A failure among thousands of bars is at least three pixels wide.
      const wide = tone === 'fail' ? Math.max(3, end - at) : end - at;
      context.fillRect(at, y, wide, high);
    }
    at = end;
  }
}

function paintBar(frame: Frame, bar: Bar, left: number, right: number, top: number): void {
  const { context, colours } = frame;
  const tone = toneOf(bar);
  const { y, high } = extentOf(frame, top, tone);
  const wide = right - left - 1;
  context.fillStyle = colours[tone];
  context.strokeStyle = colours[tone];
  context.beginPath();
  if (wide > 5) context.roundRect(left + 0.5, y, wide, high, 3);
  else context.rect(left + 0.5, y, wide, high);
  context.globalAlpha = bar.vague ? 0.14 : tone === 'fail' ? colours.fill + 0.2 : colours.fill;
  context.fill();
  context.globalAlpha = tone === 'blocked' ? 0.75 : 1;
  if (bar.open || bar.vague || tone === 'indet') context.setLineDash([3, 2]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (bar.stall) hatch(frame, bar, bar.stall, { right, y, high });
  if (wide < 12) return;
  const sign = bar.stall ? null : tone === 'fail' ? cross : tone === 'warn' ? turn : null;
  const wider = wide >= 44;
  sign?.(context, wider ? left + 11 : left + wide / 2 + 0.5, y + high / 2, colours.fg);
  if (wider && high >= 12) write(frame, bar, { left, wide, y: y + high / 2 - 9, indent: sign ? 19 : 7 });
}

function write(
  { context, colours }: Frame,
  bar: Bar,
  { left, wide, y, indent }: { left: number; wide: number; y: number; indent: number },
): void {
  const room = wide - indent - 5;
  context.fillStyle = colours.fg;
  const text = bar.stall ? `No events for ${formatDuration(bar.stall.ms)}` : bar.label;
  context.fillText(fitted(context, text, room), left + indent, y + 13);
}

const widths = new Map<string, number>();

/** Cut by an average letter width; measuring each bar's text would cost more than drawing it. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  const letter = widths.get(context.font) ?? context.measureText('abcdefghij opqrstu').width / 18;
  widths.set(context.font, letter);
  const most = Math.floor(room / (letter * 1.06));
  if (text.length <= most) return text;
  return most < 4 ? '' : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** The time without events, hatched on its bar. */
function hatch(
  { context, colours, x, width }: Frame,
  bar: Bar,
  stall: NonNullable<Bar['stall']>,
  { right, y, high }: { right: number; y: number; high: number },
): void {
  const left = Math.max(x(stall.from), x(bar.from));
  context.save();
  context.beginPath();
  context.roundRect(left + 0.5, y, Math.max(2, right - left - 1), high, 3);
  context.clip();
  context.fillStyle = colours.surface;
  context.fill();
  context.globalAlpha = 0.34;
  context.strokeStyle = colours.warn;
  context.lineWidth = 4;
  context.beginPath();
  // When zoomed in, a bar is thousands of screens wide; its pattern starts where it would be if the whole bar were
  // drawn.
  const unseen = Math.max(0, Math.floor(-left / 10) * 10);
  for (let at = left + unseen - high; at < Math.min(right, width); at += 10) {
    context.moveTo(at, y + high);
    context.lineTo(at + high, y);
  }
  context.stroke();
  context.restore();
  context.strokeStyle = colours.warn;
  context.beginPath();
  context.roundRect(left + 0.5, y, Math.max(2, right - left - 1), high, 3);
  context.stroke();
}

function cross(context: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  context.beginPath();
  context.moveTo(x - 3, y - 3);
  context.lineTo(x + 3, y + 3);
  context.moveTo(x + 3, y - 3);
  context.lineTo(x - 3, y + 3);
  context.stroke();
  context.lineWidth = 1;
}

function turn(context: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, 3.8, -0.9, 4.2);
  context.moveTo(x + 0.4, y - 4.6);
  context.lineTo(x + 3, y - 3);
  context.lineTo(x + 0.6, y - 0.9);
  context.stroke();
  context.lineWidth = 1;
}

function outline({ context, colours, x, rowHeight }: Frame, bar: Bar, top: number): void {
  const left = x(bar.from);
  context.strokeStyle = colours.fg;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(left - 1.5, top + 2, Math.max(4, x(bar.to) - left + 2), rowHeight - 4, 5);
  context.stroke();
  context.lineWidth = 1;
}
