import { Eye, Minus, Plus, Rewind } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../live/settings.ts';
import type { RunDetail } from '../../../live/wire.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted, many } from '../../../ui/count.ts';
import { useParam } from '../../../ui/search-params.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { useChoice } from '../use-choice.ts';
import type { Bar } from './bars.ts';
import { axisHeight, footHeight, paint } from './paint.ts';
import { rowHeight } from './paint-bars.ts';
import { type Arrangement, type Chart, chartOf, farMs } from './rows.ts';
import { type Span, showing, zoomed } from './span.ts';
import { Tip, wordsOf } from './tip.tsx';
import { useHands } from './use-hands.ts';
import { useWidth } from './use-width.ts';
import { barAt, hit, placeOf, walked } from './walk.ts';

const mostRows = 9;
const arrangements = [
  { value: 'lanes', label: 'Lanes' },
  { value: 'features', label: 'Features' },
  { value: 'slowest', label: 'Slowest' },
] as const;

type Props = {
  detail: RunDetail;
  /** The instant that the picture shows: now, or the one the replay stands at. */
  now: number;
  /** When the run ended, if it did: the picture of a replay is as wide as that of the whole run. */
  until: number | null;
  replaying: boolean;
  /** Rows to keep room for, so that a replay does not jump while lanes come up. */
  leastRows: number;
  onReplay: (() => void) | null;
  /** Drawn below, on the same axis. */
  below: (span: Span, gutter: number) => ReactNode;
};

/** When everything ran, row by row. The tables below tell the same in words. */
export function Timeline({ detail, now, until, replaying, leastRows, onReplay, below }: Props) {
  const [by, setBy] = useParam('rows');
  const arrangement: Arrangement = arrangements.find(({ value }) => value === by)?.value ?? 'lanes';
  const live = detail.run.state === 'running';
  // Bars move by the second; a busy run must not have the whole picture arranged anew with every batch.
  const latest = useRef(detail);
  latest.current = detail;
  const still = live && !replaying ? Math.floor(now / paceFor(detail)) : detail;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `still` changes with the pace, or when an ended run does
  const chart = useMemo(() => chartOf(latest.current, now, arrangement), [still, arrangement]);
  const whole = useMemo(() => wholeOf(chart, until), [chart, until]);
  const [span, setSpan] = useState<Span | null>(null);
  const shown = span ?? whole;
  const gutter = arrangement === 'lanes' ? 98 : 190;
  if (chart.rows.length === 0 && !replaying) return null;
  return (
    <section aria-label="Timeline" className="flex shrink-0 flex-col gap-2.5 border-line border-b px-[18px] py-3">
      <div className="flex items-center gap-3 max-lg:flex-wrap">
        <h2 className="font-semibold">Lanes</h2>
        <p className="min-w-0 truncate text-fg-3">{about(detail, chart)}</p>
        <span className="ml-auto flex items-center gap-2 max-lg:flex-wrap">
          <Segmented
            label="Rows"
            value={arrangement}
            onChange={(to) => setBy(to === 'lanes' ? null : to)}
            choices={arrangements}
          />
          <IconButton icon={Plus} label="Less time" onClick={() => setSpan(zoomed(shown, 0.6, middle(shown), whole))} />
          <IconButton
            icon={Minus}
            label="More time"
            onClick={() => setSpan(zoomed(shown, 1.7, middle(shown), whole))}
          />
          {onReplay && !replaying && (
            <Button icon={Rewind} onClick={onReplay}>
              Replay
            </Button>
          )}
          <Button kind={span === null ? 'on' : 'plain'} icon={Eye} onClick={() => setSpan(null)}>
            {live && !replaying ? 'Follow now' : 'Whole run'}
          </Button>
        </span>
      </div>
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <Lanes
          {...{ detail: latest.current, chart, shown, whole, gutter, leastRows, setSpan }}
          head={live || replaying ? now : null}
        />
        {below(shown, gutter)}
      </div>
    </section>
  );
}

/** Arranging tens of thousands of bars takes a while, so they move every few seconds. */
const paceFor = ({ scenarios }: RunDetail): number => (scenarios.length > 10_000 ? 3_000 : 1_000);

const middle = ({ from, to }: Span): number => (from + to) / 2;

function wholeOf({ start, end }: Chart, until: number | null): Span {
  const last = until !== null && until - end <= farMs ? until : start + (end - start) * 1.1;
  return { from: start, to: Math.max(last, end, start + 1000) };
}

function about({ lanes }: RunDetail, { rows, bars }: Chart): string {
  const workers = lanes.length > 0 ? many(lanes.length, 'worker') : many(rows.length, 'row');
  const drawn = rows.reduce((sum, row) => sum + row.bars.length, 0);
  const left = drawn < bars ? `; ${counted(drawn)} of ${counted(bars)} drawn` : '';
  return `${workers}, each bar is one attempt${left}`;
}

type LanesProps = {
  detail: RunDetail;
  chart: Chart;
  shown: Span;
  whole: Span;
  gutter: number;
  head: number | null;
  leastRows: number;
  setSpan: (span: Span | null) => void;
};

function Lanes({ detail, chart, shown, whole, gutter, head, leastRows, setSpan }: LanesProps) {
  const { uid, attempt, choose } = useChoice();
  const theme = useStore(settings, (state) => state.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(canvas);
  const [pointed, setPointed] = useState<{ bar: Bar; x: number; y: number } | null>(null);
  const place = useMemo(() => placeOf(chart, uid, attempt), [chart, uid, attempt]);
  const chosen = (place && barAt(chart.rows, place)) ?? null;
  const rowAt = (y: number) => Math.floor((y - axisHeight) / rowHeight);
  const { brush, listeners } = useHands({
    canvas,
    gutter,
    shown,
    whole,
    setSpan,
    onPoint: (time, y, msPerPixel) => {
      const bar = hit(chart, rowAt(y), time, 3 * msPerPixel);
      setPointed(bar ? { bar, x: gutter + (time - shown.from) / msPerPixel, y } : null);
    },
    onClick: (time, y, msPerPixel) => {
      const bar = hit(chart, rowAt(y), time, 3 * msPerPixel);
      if (bar) choose(bar.uid, bar.attempt);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme or width is drawn anew
  useEffect(() => {
    if (canvas.current) paint(canvas.current, { chart, span: shown, detail, chosen, gutter, head });
  }, [chart, shown, chosen, theme, width, head, gutter]);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { '+': 0.6, '=': 0.6, '-': 1.7 }[event.key];
    const to = walked(chart, place, event.key);
    const bar = to && barAt(chart.rows, to);
    if (zoom) setSpan(zoomed(shown, zoom, chosen ? (chosen.from + chosen.to) / 2 : middle(shown), whole));
    else if (bar) {
      choose(bar.uid, bar.attempt);
      setSpan(shown === whole ? null : showing(shown, bar, whole));
    } else return;
    event.preventDefault();
  };
  const height =
    axisHeight + Math.max(leastRows, chart.rows.length) * rowHeight + (detail.recycles.length > 0 ? footHeight : 4);
  const scale = (at: number) => gutter + ((at - shown.from) / (shown.to - shown.from)) * (width - gutter - 12);
  return (
    <div
      role="application"
      aria-roledescription="timeline"
      aria-label={`${many(chart.rows.length, 'row')} of attempts. Arrow keys walk from bar to bar, plus and minus zoom; the tables below tell the same.`}
      tabIndex={0}
      onKeyDown={press}
      className="relative overflow-y-auto overflow-x-hidden focus-visible:outline-offset-[-2px]"
      style={{ maxHeight: axisHeight + mostRows * rowHeight + footHeight }}
    >
      <canvas
        ref={canvas}
        aria-hidden
        className="block w-full touch-pan-y select-none"
        style={{ height }}
        onPointerLeave={() => setPointed(null)}
        {...listeners}
      />
      {brush && (
        <span
          className="pointer-events-none absolute inset-y-0 border-accent border-x bg-accent-soft opacity-60"
          style={{ left: scale(brush.from), width: scale(brush.to) - scale(brush.from) }}
        />
      )}
      {pointed && <Tip bar={pointed.bar} x={pointed.x} y={pointed.y} right={width} start={chart.start} />}
      <p className="sr-only" aria-live="polite">
        {chosen ? wordsOf(chosen, chart.start) : ''}
      </p>
    </div>
  );
}
