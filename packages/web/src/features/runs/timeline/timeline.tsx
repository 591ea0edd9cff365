import { Eye, Minus, Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../live/settings.ts';
import type { RunDetail } from '../../../live/wire.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useParam } from '../../../ui/search-params.ts';
import { useNow } from '../../../ui/time.tsx';
import { type Chart, chartOf } from './bars.ts';
import { axisHeight, gutter, paint, rowHeight, type Span } from './paint.ts';

const mostRows = 10;

/** When everything ran, row by row. The table below is the same in words; this picture needs no key of its own. */
export function Timeline({ detail }: { detail: RunDetail }) {
  const live = detail.run.state === 'running';
  const second = useNow();
  const now = live ? second : 0;
  // Bars move by the second; a busy run must not have the whole picture arranged anew with every batch.
  const latest = useRef(detail);
  latest.current = detail;
  const still = live ? now : detail;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `still` changes once a second, or when an ended run does
  const chart = useMemo(() => chartOf(latest.current, now), [still]);
  const [span, setSpan] = useState<Span | null>(null);
  const [selected, select] = useParam('scenario');
  const theme = useStore(settings, (state) => state.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(canvas);
  const whole = useMemo(() => ({ from: chart.start, to: Math.max(chart.end, chart.start + 1000) }), [chart]);
  const shown = span ?? whole;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme or width is drawn anew
  useEffect(() => {
    if (canvas.current) paint(canvas.current, chart, shown, latest.current, selected);
  }, [chart, shown, selected, theme, width]);
  if (chart.rows.length === 0) return null;
  const zoom = (factor: number, around = (shown.from + shown.to) / 2) =>
    setSpan(narrowed(shown, factor, around, whole));
  const at = (clientX: number) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return shown.from;
    return shown.from + ((clientX - box.left - gutter) / (box.width - gutter - 10)) * (shown.to - shown.from);
  };
  const height = axisHeight + chart.rows.length * rowHeight + 6;
  return (
    <section aria-label="Timeline" className="flex shrink-0 flex-col gap-2.5 border-line border-b px-[18px] py-3">
      <div className="flex items-center gap-3">
        <h2 className="font-semibold">Lanes</h2>
        <p className="min-w-0 truncate text-fg-3">
          {chart.rows.length} {chart.rows.length === 1 ? 'row' : 'rows'}, each bar is one scenario; wheel zooms in time
        </p>
        <span className="ml-auto flex items-center gap-2">
          <IconButton icon={Plus} label="Less time" onClick={() => zoom(0.6)} />
          <IconButton icon={Minus} label="More time" onClick={() => zoom(1.7)} />
          <Button kind={span === null ? 'on' : 'plain'} icon={Eye} onClick={() => setSpan(null)}>
            {live ? 'Follow now' : 'Whole run'}
          </Button>
        </span>
      </div>
      <div
        className="overflow-y-auto rounded-lg border border-line bg-surface"
        style={{ maxHeight: axisHeight + mostRows * rowHeight + 8 }}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${chart.rows.length} rows of scenarios over time; the table below tells the same`}
          className="block w-full"
          style={{ height }}
          onWheel={(event) => zoom(1.0015 ** event.deltaY, at(event.clientX))}
          onClick={(event) => select(hit(chart, at(event.clientX), event.nativeEvent.offsetY) ?? selected)}
        />
      </div>
    </section>
  );
}

function narrowed({ from, to }: Span, factor: number, around: number, whole: Span): Span | null {
  const next = { from: around - (around - from) * factor, to: around + (to - around) * factor };
  if (next.to - next.from >= whole.to - whole.from) return null;
  if (next.to - next.from < 50) return { from, to };
  return { from: Math.max(whole.from, next.from), to: Math.min(whole.to, next.to) };
}

function hit({ rows }: Chart, time: number, y: number): string | undefined {
  const row = rows[Math.floor((y - axisHeight) / rowHeight)];
  return row?.bars.find(({ from, to }) => from <= time && time <= Math.max(to, from + 1))?.uid;
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const watcher = new ResizeObserver(() => setWidth(target.clientWidth));
    watcher.observe(target);
    return () => watcher.disconnect();
  }, [element]);
  return width;
}
