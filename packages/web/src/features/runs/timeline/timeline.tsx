import { ChevronRight, Eye, Minus, Plus, Rewind } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { RunDetail } from '../../../live/wire.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { countWithNoun, formatCount } from '../../../ui/format-count.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { settings } from '../../../ui/settings.ts';
import { useIsNarrow } from '../../../ui/table.tsx';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { useSize } from '../../../ui/use-size.ts';
import { useChosenScenario } from '../use-chosen-scenario.ts';
import { barAt, barNear, nextPosition, positionOf } from './bar-navigation.ts';
import { BarTooltip, barText } from './bar-tooltip.tsx';
import { type Arrangement, type Bar, type Chart, chartOf, farMs, toneOf } from './chart.ts';
import { axisHeight, footHeight, rightEdge, rowHeightFor } from './frame.ts';
import { paintTimeline } from './paint-timeline.ts';
import { spanShowing, type TimeSpan, zoomed } from './time-span.ts';
import { useTimelinePointer } from './use-timeline-pointer.ts';

const mostHeight = 16 * 14 + 10;
const arrangements = [
  { value: 'lanes', label: 'Lanes' },
  { value: 'features', label: 'Features' },
  { value: 'slowest', label: 'Slowest' },
] as const;

/** The room for the names of the rows, in pixels. */
const gutters: Record<Arrangement, number> = { lanes: 112, features: 190, slowest: 340 };

type Props = {
  detail: RunDetail;
  /** The instant that the timeline shows: now, or the position of the replay. */
  now: number;
  /** When the run ended, if it has: a replay is drawn as wide as the whole run. */
  until: number | null;
  replaying: boolean;
  /** The number of rows to reserve, so that nothing moves while lanes start. */
  minRows: number;
  onReplay: (() => void) | null;
  /** Drawn below, on the same axis. */
  below: (span: TimeSpan, gutter: number) => ReactNode;
};

/** When each attempt ran, row by row. The tables below have the same content as text. */
export const Timeline = memo(function Timeline(props: Props) {
  const { detail, now, until, replaying, minRows, onReplay, below } = props;
  const [by, setBy] = useSearchParam('rows');
  const arrangement: Arrangement = arrangements.find(({ value }) => value === by)?.value ?? 'lanes';
  const live = detail.run.state === 'running';
  // Bars move once a second; a busy run must not arrange the whole timeline again with every batch.
  const latest = useRef(detail);
  latest.current = detail;
  const still = live && !replaying ? Math.floor(now / paceFor(detail)) : detail;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `still` changes with the pace, or when an ended run does
  const chart = useMemo(() => chartOf(latest.current, now, arrangement), [still, arrangement]);
  const whole = useMemo(() => wholeOf(chart, until), [chart, until]);
  const [span, setSpan] = useState<TimeSpan | null>(null);
  // A comparison concerns two runs; the lanes of one of them would take half of the space.
  const [comparedWith] = useSearchParam('compare');
  const [open, setOpen] = useState<boolean | null>(null);
  const isOpen = open ?? comparedWith === null;
  const shown = span ?? whole;
  const isNarrow = useIsNarrow();
  const gutter = isNarrow ? 112 : gutters[arrangement];
  // A live run has its timeline from the start, so that the tables below do not move when the first test begins.
  if (chart.rows.length === 0 && !live && !replaying) return null;
  return (
    <section aria-label="Timeline" className="flex shrink-0 flex-col gap-2.5 border-line border-b px-page py-3">
      <div className="flex items-center gap-3 max-xl:flex-wrap">
        <h2 className="font-semibold">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-6 items-center gap-1 rounded"
          >
            <ChevronRight size={14} aria-hidden className={isOpen ? 'rotate-90' : ''} />
            Timeline
          </button>
        </h2>
        <p className="min-w-0 truncate text-fg-3 max-xl:order-last max-xl:basis-full">
          {summaryText(detail, chart, isNarrow)}
        </p>
        <span className={`ml-auto items-center gap-2 max-lg:flex-wrap ${isOpen ? 'flex' : 'hidden'}`}>
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
      {isOpen && (
        <div className="overflow-hidden rounded-lg border border-line bg-surface">
          <Lanes
            {...{ detail: latest.current, chart, shown, whole, gutter, minRows, setSpan }}
            playhead={replaying ? now : live ? Math.max(now, chart.end) : null}
          />
          {below(shown, gutter)}
        </div>
      )}
    </section>
  );
});

/** Arranging tens of thousands of bars takes a while, so they move every few seconds. */
const paceFor = ({ scenarios }: RunDetail): number => (scenarios.length > 10_000 ? 3_000 : 1_000);

const middle = ({ from, to }: TimeSpan): number => (from + to) / 2;

function wholeOf({ start, end }: Chart, until: number | null): TimeSpan {
  const last = until !== null && until - end <= farMs ? until : start + (end - start) * 1.1;
  return { from: start, to: Math.max(last, end, start + 1000) };
}

/** One line at every width, so that the first failure moves nothing. */
function summaryText({ lanes }: RunDetail, { rows, bars }: Chart, isNarrow: boolean): string {
  if (rows.length === 0) return 'no attempt has started yet';
  const failures = rows.reduce((sum, row) => sum + row.bars.filter((bar) => toneOf(bar) === 'fail').length, 0);
  const marked = isNarrow ? '' : ', marked above the rows';
  const failed = failures > 0 ? `; ${countWithNoun(failures, 'failed attempt')}${marked}` : '';
  const workers = lanes.length > 0 ? countWithNoun(lanes.length, 'worker') : countWithNoun(rows.length, 'row');
  const drawn = rows.reduce((sum, row) => sum + row.bars.length, 0);
  const left = drawn < bars ? `; ${formatCount(drawn)} of ${formatCount(bars)} drawn` : '';
  return `${workers}${isNarrow ? '' : ', each bar is one attempt'}${left}${failed}`;
}

type LanesProps = {
  detail: RunDetail;
  chart: Chart;
  shown: TimeSpan;
  whole: TimeSpan;
  gutter: number;
  playhead: number | null;
  minRows: number;
  setSpan: (span: TimeSpan | null) => void;
};

function Lanes({ detail, chart, shown, whole, gutter, playhead, minRows, setSpan }: LanesProps) {
  const { uid: chosenUid, attempt, choose } = useChosenScenario();
  // Thousands of bars are painted after the panel of the selected one has opened.
  const uid = useDeferredValue(chosenUid);
  const theme = useStore(settings, (state) => state.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(canvas);
  const [pointed, setPointed] = useState<{ bar: Bar; x: number; y: number } | null>(null);
  const position = useMemo(() => positionOf(chart, uid, attempt), [chart, uid, attempt]);
  const chosen = (position && barAt(chart.rows, position)) ?? null;
  const rowHeight = rowHeightFor(Math.max(minRows, chart.rows.length));
  const rowAt = (y: number) => Math.floor((y - axisHeight) / rowHeight);
  const { brush, listeners } = useTimelinePointer({
    canvas,
    gutter,
    shown,
    whole,
    setSpan,
    onPoint: (time, y, msPerPixel) => {
      const bar = barNear(chart, rowAt(y), time, 3 * msPerPixel);
      setPointed(bar ? { bar, x: gutter + (time - shown.from) / msPerPixel, y } : null);
    },
    onClick: (time, y, msPerPixel) => {
      const bar = barNear(chart, rowAt(y), time, 3 * msPerPixel);
      if (bar) choose(bar.uid, bar.attempt);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme or width is drawn again
  useEffect(() => {
    if (canvas.current)
      paintTimeline(canvas.current, { chart, span: shown, detail, chosen, gutter, rowHeight, playhead });
  }, [chart, shown, chosen, theme, width, playhead, gutter, rowHeight]);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { '+': 0.6, '=': 0.6, '-': 1.7 }[event.key];
    const to = nextPosition(chart, position, event.key);
    const bar = to && barAt(chart.rows, to);
    if (zoom) setSpan(zoomed(shown, zoom, chosen ? (chosen.from + chosen.to) / 2 : middle(shown), whole));
    else if (bar) {
      choose(bar.uid, bar.attempt);
      setSpan(shown === whole ? null : spanShowing(shown, bar, whole));
    } else return;
    event.preventDefault();
  };
  const height =
    axisHeight + Math.max(minRows, chart.rows.length) * rowHeight + (detail.recycles.length > 0 ? footHeight : 4);
  const scale = (at: number) => gutter + ((at - shown.from) / (shown.to - shown.from)) * (width - gutter - rightEdge);
  return (
    <div
      role="application"
      aria-roledescription="timeline"
      aria-label={`${countWithNoun(chart.rows.length, 'row')} of attempts. Arrow keys move between bars, plus and minus zoom. The tables below have the same content.`}
      tabIndex={0}
      onKeyDown={press}
      className="relative overflow-y-auto overflow-x-hidden focus-visible:outline-offset-[-2px]"
      style={{ maxHeight: axisHeight + mostHeight + footHeight }}
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
      {pointed && <BarTooltip bar={pointed.bar} x={pointed.x} y={pointed.y} right={width} start={chart.start} />}
      <p className="sr-only" aria-live="polite">
        {chosen ? barText(chosen, chart.start) : ''}
      </p>
    </div>
  );
}
