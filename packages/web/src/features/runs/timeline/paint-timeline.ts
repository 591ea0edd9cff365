import type { RunDetail } from '../../../live/wire.ts';
import type { Tone } from '../../../ui/appearance.tsx';
import { formatDuration } from '../../../ui/time.tsx';
import { type Bar, type Chart, firstAfter, severity, type TimelineRow, toneOf } from './chart.ts';
import { axisHeight, type Frame, footHeight, frameOf, type Scale } from './frame.ts';
import { clock, stepFor } from './time-span.ts';

const clockBaseline = 16;

type TimelineScene = Scale & {
  chart: Chart;
  detail: RunDetail;
  chosen: Bar | null;
  /** The current instant of the run: now while it is live, the chosen instant in a replay. */
  playhead: number | null;
};

/** Draws the whole timeline. */
export function paintTimeline(canvas: HTMLCanvasElement, scene: TimelineScene): void {
  const frame = frameOf(canvas, scene);
  if (!frame) return;
  const { context, width, height, gutter } = frame;
  context.clearRect(0, 0, width, height);
  stripes(frame, scene.chart);
  grid(frame, scene.chart);
  context.save();
  context.beginPath();
  context.rect(gutter, axisHeight, width - gutter, height);
  context.clip();
  scene.chart.rows.forEach((row, index) => {
    paintRow(frame, row, axisHeight + index * scene.rowHeight, scene.chosen);
  });
  recycles(frame, scene.detail);
  faults(frame, scene);
  context.restore();
  failureTicks(frame, scene.chart);
  if (scene.playhead !== null) paintPlayhead(frame, scene.chart.start, scene.playhead);
}

function stripes({ context, colours, width, gutter, rowHeight }: Frame, { rows }: Chart): void {
  rows.forEach(({ label, note }, index) => {
    const y = axisHeight + index * rowHeight;
    if (index % 2 === 0) {
      context.globalAlpha = 0.5;
      context.fillStyle = colours.raised;
      context.fillRect(0, y, width, rowHeight);
      context.globalAlpha = 1;
    }
    context.textAlign = 'left';
    context.fillStyle = colours['fg-2'];
    const baseline = y + rowHeight / 2 + 4;
    const noteWidth = note === '' ? 0 : context.measureText(note).width + 8;
    context.fillText(clipped(context, label, gutter - 18 - noteWidth), 10, baseline);
    context.textAlign = 'right';
    context.fillStyle = colours['fg-3'];
    context.fillText(note, gutter - 8, baseline);
  });
  context.textAlign = 'left';
}

function clipped(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let cut = text.slice(0, Math.floor(room / 5));
  while (cut.length > 1 && context.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** Narrower bars are drawn together, one pixel each. */
const narrow = 3;

/** Draws one row; bars too short to be seen are drawn together, in the colour of the worst. */
function paintRow(frame: Frame, { bars }: TimelineRow, top: number, chosen: Bar | null): void {
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

const tickWidth = 7;

/** A triangle for each failure, above all rows, so that failures are visible even if many bars share a pixel. */
function failureTicks({ context, colours, x, width, gutter }: Frame, { rows }: Chart): void {
  context.fillStyle = colours.fail;
  const drawn = new Set<number>();
  for (const { bars } of rows)
    for (const bar of bars) {
      if (toneOf(bar) !== 'fail') continue;
      const at = Math.round((x(bar.from) + x(bar.to)) / 2);
      if (at < gutter || at > width || drawn.has(at)) continue;
      drawn.add(at);
      context.beginPath();
      context.moveTo(at - tickWidth / 2, axisHeight - 10);
      context.lineTo(at + tickWidth / 2, axisHeight - 10);
      context.lineTo(at, axisHeight - 3);
      context.fill();
    }
}

function grid({ context, span, width, height, gutter, x, colours }: Frame, { start }: Chart): void {
  const step = stepFor(span.to - span.from);
  context.strokeStyle = colours.line;
  context.beginPath();
  context.fillStyle = colours['fg-3'];
  context.textAlign = 'center';
  for (let at = Math.ceil((span.from - start) / step) * step; at + start <= span.to; at += step) {
    const lineX = Math.round(x(at + start)) + 0.5;
    if (lineX < gutter) continue;
    context.moveTo(lineX, axisHeight);
    context.lineTo(lineX, height);
    const text = clock(at, step);
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(lineX, width - half - 4), clockBaseline);
  }
  context.moveTo(0, axisHeight - 0.5);
  context.lineTo(width, axisHeight - 0.5);
  context.moveTo(gutter - 0.5, axisHeight);
  context.lineTo(gutter - 0.5, height);
  context.stroke();
  context.textAlign = 'left';
}

/** A recycle affects everything that is running, so its line crosses all rows; names that would overlap are counted. */
function recycles({ context, colours, x, height, gutter, width }: Frame, { recycles: all }: RunDetail): void {
  const visible = all
    .map(({ resource, at }) => ({ resource, lineX: Math.round(x(Date.parse(at ?? ''))) + 0.5 }))
    .filter(({ lineX }) => lineX >= gutter && lineX <= width)
    .sort((a, b) => a.lineX - b.lineX);
  context.strokeStyle = colours.indet;
  context.setLineDash([3, 3]);
  context.beginPath();
  for (const { lineX } of visible) {
    context.moveTo(lineX, axisHeight);
    context.lineTo(lineX, height - footHeight + 2);
  }
  context.stroke();
  context.setLineDash([]);
  for (let first = 0; first < visible.length; ) {
    const group = visible.slice(first).filter(({ lineX }) => lineX - (visible[first]?.lineX ?? 0) < 100);
    const text = group.length === 1 ? `recycle ${group[0]?.resource}` : `${group.length} recycles`;
    const wide = context.measureText(text).width + 16;
    const middle = ((group[0]?.lineX ?? 0) + (group.at(-1)?.lineX ?? 0)) / 2;
    const lineX = Math.max(gutter + wide / 2, Math.min(width - wide / 2 - 4, middle));
    pill(context, text, { x: lineX, y: height - footHeight + 2, line: colours.indet, colours });
    first += group.length;
  }
}

function pill(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, line, colours }: { x: number; y: number; line: string; colours: Frame['colours'] },
): void {
  const wide = Math.round(context.measureText(text).width) + 16;
  context.beginPath();
  context.roundRect(Math.round(x - wide / 2) + 0.5, y + 0.5, wide, 16, 8);
  context.fillStyle = colours.surface;
  context.fill();
  context.strokeStyle = line;
  context.stroke();
  context.fillStyle = line;
  context.textAlign = 'center';
  context.fillText(text, x, y + 12.5);
  context.textAlign = 'left';
}

/** A fault is in the row of its worker; without a known worker its line crosses all rows. */
function faults({ context, colours, x, height, width, rowHeight }: Frame, { chart, detail }: TimelineScene): void {
  for (const { lane, fault, exitCode, at } of detail.workerFaults) {
    const lineX = Math.round(x(Date.parse(at ?? ''))) + 0.5;
    if (!Number.isFinite(lineX)) continue;
    const row = lane === null ? -1 : chart.rows.findIndex((one) => one.lane === lane && one.label.startsWith('Lane'));
    const top = axisHeight + Math.max(0, row) * rowHeight + (rowHeight - 26) / 2;
    context.strokeStyle = colours.orphan;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(lineX, top + 2);
    context.lineTo(lineX, row < 0 ? height : top + 24);
    context.stroke();
    context.lineWidth = 1;
    const words = exitCode === null ? fault : `exit ${exitCode}`;
    const text = words.length > 22 ? `${words.slice(0, 21)}…` : words;
    const wide = Math.round(context.measureText(text).width) + 12;
    context.beginPath();
    const left = lineX + 4 + wide > width ? lineX - 4 - wide : lineX + 4;
    context.roundRect(left, top + 5, wide, 16, 4);
    context.fillStyle = colours.surface;
    context.fill();
    context.stroke();
    context.fillStyle = colours.orphan;
    context.fillText(text, left + 6, top + 17);
  }
}

function paintPlayhead({ context, colours, x, height, gutter, width }: Frame, start: number, playhead: number): void {
  const lineX = Math.round(x(playhead)) + 0.5;
  if (lineX < gutter || lineX > width) return;
  context.strokeStyle = colours.fg;
  context.beginPath();
  context.moveTo(lineX, axisHeight - 4);
  context.lineTo(lineX, height);
  context.stroke();
  const text = clock(playhead - start);
  const wide = Math.round(context.measureText(text).width) + 12;
  const left = Math.min(Math.max(lineX - wide / 2, gutter), width - wide - 2);
  context.beginPath();
  context.roundRect(left, 3, wide, 18, 4);
  context.fillStyle = colours.fg;
  context.fill();
  context.fillStyle = colours.bg;
  context.textAlign = 'center';
  context.fillText(text, left + wide / 2, clockBaseline);
  context.textAlign = 'left';
}
