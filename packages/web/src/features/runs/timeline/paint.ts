import type { RunDetail } from '../../../live/wire.ts';
import type { Bar, Chart } from './bars.ts';

export const rowHeight = 26;
export const axisHeight = 26;
export const gutter = 74;

/** What part of the time is seen. */
export type Span = { from: number; to: number };

type Colours = Record<
  'done' | 'warn' | 'fail' | 'active' | 'blocked' | 'orphan' | 'indet' | 'line' | 'fg' | 'fg-2' | 'fg-3' | 'surface',
  string
>;

const tones = { CleanPass: 'done', PassOnRetry: 'warn', Failed: 'fail', Aborted: 'fail', Skipped: 'blocked' } as const;

export function paint(
  canvas: HTMLCanvasElement,
  chart: Chart,
  span: Span,
  detail: RunDetail,
  selected: string | null,
): void {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (!context || width <= gutter) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const colours = coloursOf(canvas);
  context.font = `500 11px ${getComputedStyle(canvas).fontFamily}`;
  const x = (at: number) => gutter + ((at - span.from) / (span.to - span.from)) * (width - gutter - 10);
  grid(context, chart, span, { width, height, x, colours });
  marks(context, detail, { x, height, width, colours });
  context.save();
  context.beginPath();
  context.rect(gutter, 0, width - gutter, height);
  context.clip();
  chart.rows.forEach(({ bars }, index) => {
    for (const bar of bars)
      if (bar.to >= span.from && bar.from <= span.to) drawBar(context, bar, index, x, colours, selected);
  });
  context.restore();
}

function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const names = [
    'done',
    'warn',
    'fail',
    'active',
    'blocked',
    'orphan',
    'indet',
    'line',
    'fg',
    'fg-2',
    'fg-3',
    'surface',
  ];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Colours;
}

type Frame = { width: number; height: number; x: (at: number) => number; colours: Colours };

const steps = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000];

function grid(context: CanvasRenderingContext2D, chart: Chart, span: Span, { width, height, x, colours }: Frame): void {
  const step = steps.find((size) => (span.to - span.from) / size <= 9) ?? 7_200_000;
  context.strokeStyle = colours.line;
  context.fillStyle = colours['fg-3'];
  context.textAlign = 'center';
  for (let at = Math.ceil((span.from - chart.start) / step) * step; at + chart.start <= span.to; at += step) {
    const place = Math.round(x(at + chart.start)) + 0.5;
    if (place < gutter) continue;
    context.beginPath();
    context.moveTo(place, axisHeight);
    context.lineTo(place, height);
    context.stroke();
    context.fillText(clock(at, step), place, 17);
  }
  context.textAlign = 'left';
  chart.rows.forEach(({ label }, index) => {
    const y = axisHeight + index * rowHeight;
    context.fillStyle = colours['fg-2'];
    context.fillText(label, 12, y + 17);
  });
  context.beginPath();
  context.moveTo(0, axisHeight - 0.5);
  context.lineTo(width, axisHeight - 0.5);
  context.stroke();
}

function clock(ms: number, step: number): string {
  const seconds = ms / 1000;
  const text = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  return step < 1000 ? `${text}.${Math.floor((ms % 1000) / 100)}` : text;
}

/** Recycles and faults run through all rows: they concern whatever was under way. */
function marks(
  context: CanvasRenderingContext2D,
  { recycles, workerFaults }: RunDetail,
  { x, height, width, colours }: Frame,
): void {
  const line = (at: string | null, colour: string, dash: number[]) => {
    const place = x(Date.parse(at ?? ''));
    if (!(place >= gutter && place <= width)) return;
    context.strokeStyle = colour;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(place, axisHeight);
    context.lineTo(place, height);
    context.stroke();
    context.setLineDash([]);
  };
  for (const { at } of recycles) line(at, colours.indet, [4, 3]);
  for (const { at } of workerFaults) line(at, colours.orphan, []);
}

function drawBar(
  context: CanvasRenderingContext2D,
  bar: Bar,
  row: number,
  x: (at: number) => number,
  colours: Colours,
  selected: string | null,
): void {
  const [left, right] = [x(bar.from), Math.max(x(bar.to), x(bar.from) + 2)];
  const y = axisHeight + row * rowHeight + 4;
  const colour = colours[bar.outcome === null ? 'active' : tones[bar.outcome]];
  const wide = right - left;
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.globalAlpha = bar.outcome === 'CleanPass' || bar.open ? 0.45 : 0.75;
  context.beginPath();
  if (wide > 6) context.roundRect(left + 0.5, y, wide - 1, rowHeight - 8, 3);
  else context.rect(left, y, wide, rowHeight - 8);
  context.fill();
  context.globalAlpha = 1;
  if (wide > 3) {
    if (bar.open) context.setLineDash([3, 2]);
    context.stroke();
    context.setLineDash([]);
  }
  if (bar.uid === selected) {
    context.strokeStyle = colours.fg;
    context.lineWidth = 2;
    context.strokeRect(left - 1, y - 2, wide + 2, rowHeight - 4);
    context.lineWidth = 1;
  }
  if (wide < 48) return;
  context.save();
  context.clip();
  context.fillStyle = colours.fg;
  context.fillText(bar.label, left + 7, y + 13);
  context.restore();
}
