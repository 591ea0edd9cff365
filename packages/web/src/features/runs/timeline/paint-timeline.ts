import type { RunDetail } from '../../../live/wire.ts';
import type { Bar } from './bars.ts';
import { timelineColours } from './colours.ts';
import { type Frame, paintRow } from './paint-bars.ts';
import type { Chart } from './rows.ts';
import { toneOf } from './severity.ts';
import type { TimeSpan } from './time-span.ts';

/** The time axis, and below it a tick for each failure. */
export const axisHeight = 34;
const clockBaseline = 16;
export const footHeight = 20;
export const rightEdge = 12;

export type TimelineScene = {
  chart: Chart;
  span: TimeSpan;
  detail: RunDetail;
  chosen: Bar | null;
  gutter: number;
  rowHeight: number;
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

function frameOf(canvas: HTMLCanvasElement, { span, gutter, rowHeight }: TimelineScene): Frame | null {
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

const steps = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000];

const longStep = 7_200_000;

/** The distance between lines of the grid, so that there are never more than a few. */
export const stepFor = (ms: number): number =>
  steps.find((size) => ms / size <= 9) ?? Math.ceil(ms / 9 / longStep) * longStep;

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

export function clock(ms: number, step = 1000): string {
  const seconds = Math.max(0, ms) / 1000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = hours > 0 ? `${hours}:${two((seconds / 60) % 60)}` : `${Math.floor(seconds / 60)}`;
  const text = `${minutes}:${two(seconds % 60)}`;
  return step < 1000 ? `${text}.${Math.floor((ms % 1000) / 100)}` : text;
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
