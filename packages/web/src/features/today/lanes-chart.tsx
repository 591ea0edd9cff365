import { useLayoutEffect, useMemo, useRef } from 'react';
import type { Lane, Report } from 'signalbox/browser/report';
import { useLocation } from 'wouter';
import { paths } from '../../paths.ts';
import type { Tone } from '../../ui/appearance.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { stateMarks } from '../../ui/state-marks.ts';
import { formatClock, formatMoment } from '../../ui/time.tsx';
import { useSize } from '../../ui/use-size.ts';
import { type Span, type StackedLane, spanOf, stacked, ticksOf } from './day-lanes.ts';

type BarEnd = Lane['bars'][number]['end'];

const looks: Readonly<Record<BarEnd, { tone: Tone; label: string }>> = {
  live: { tone: 'active', label: 'claimed now' },
  done: { tone: 'done', label: 'done' },
  submitted: { tone: 'handed', label: 'submitted' },
  failed: { tone: 'fail', label: 'failed' },
  released: { tone: 'blocked', label: 'released' },
  expired: { tone: 'orphan', label: 'lease ran out' },
  removed: { tone: 'blocked', label: 'node removed' },
};
const legend: readonly BarEnd[] = ['done', 'live', 'submitted', 'failed', 'released', 'expired'];

const [rowHeight, barHeight, laneGap, axisHeight, leastWidth, letterWidth] = [22, 15, 9, 22, 620, 6.4];

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** A chart of who held which node when: a lane for each row of the report. */
export function LanesChart({ report, lanes }: { report: Report; lanes: readonly Lane[] }) {
  const box = useRef<HTMLDivElement>(null);
  const width = Math.max(leastWidth, useSize(box).width);
  // In a narrow window the chart scrolls; it opens at its end, because that is now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width or another stretch of time is another chart
  useLayoutEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [width, report.since]);
  const span = useMemo(() => spanOf(lanes, report.since, report.until), [lanes, report.since, report.until]);
  const drawn = useMemo(() => {
    let top = axisHeight;
    return lanes.map(stacked).map((lane) => {
      const at = top;
      top += lane.rows * rowHeight + laneGap;
      return { lane, top: at };
    });
  }, [lanes]);
  const claims = lanes.reduce((sum, { bars }) => sum + bars.length, 0);
  const height = (drawn.at(-1)?.top ?? 0) + (drawn.at(-1)?.lane.rows ?? 0) * rowHeight + laneGap;
  const x = (ms: number) => ((ms - span.from) / (span.to - span.from)) * (width - 8);
  return (
    <section className="panel overflow-hidden" aria-label="Who held what">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-line border-b px-3.5 py-2.5">
        <h2 className="font-semibold">Who held what</h2>
        <p className="flex flex-wrap gap-x-3 text-caption text-fg-3">
          {legend.map((end) => (
            <span key={end} className={`tone-${looks[end].tone} flex items-center gap-1.5`}>
              <i
                className="tone-bar grid h-3 w-4 place-items-center rounded-[3px] border border-tone bg-tone/35 text-[9px] text-fg not-italic"
                aria-hidden
              >
                {stateMarks[looks[end].tone]}
              </i>
              {looks[end].label}
            </span>
          ))}
          <span className="flex items-center gap-1.5">
            <i className="h-1.5 w-4 rounded-sm border border-edge bg-hover" aria-hidden /> waiting for proof
          </span>
        </p>
      </div>
      <div className="flex">
        <ul className="w-[132px] shrink-0 border-line border-r pt-[22px] max-md:w-[92px]">
          {drawn.map(({ lane }) => (
            <LaneName key={lane.key} lane={lane} />
          ))}
        </ul>
        <div ref={box} className="min-w-0 flex-1 overflow-x-auto" data-scrolls>
          <svg
            width={width}
            height={height}
            role="group"
            aria-label={`${countWithNoun(lanes.length, 'lane')} with ${countWithNoun(claims, 'claim')}`}
            className="block"
          >
            <Axis span={span} x={x} height={height} />
            {drawn.map(({ lane, top }) => (
              <g key={lane.key}>
                <line
                  x1={0}
                  x2={width}
                  y1={top + lane.rows * rowHeight + 4}
                  y2={top + lane.rows * rowHeight + 4}
                  className="stroke-line"
                />
                <Bars lane={lane} top={top} x={x} />
              </g>
            ))}
            <line
              x1={x(Date.parse(report.until))}
              x2={x(Date.parse(report.until))}
              y1={axisHeight - 4}
              y2={height}
              className="tone-warn stroke-tone"
              strokeDasharray="2 3"
            />
          </svg>
        </div>
      </div>
    </section>
  );
}

const laneHeights = ['', 'h-[31px]', 'h-[53px]', 'h-[75px]', 'h-[97px]', 'h-[119px]'];

const LaneName = ({ lane }: { lane: StackedLane }) => (
  <li
    title={lane.key}
    className={`${laneHeights[lane.rows]} truncate px-3 text-fg-2 text-sm leading-[18px] max-md:px-2`}
  >
    {lane.key === '' ? 'not attributed' : lane.key}
  </li>
);

function Axis({ span, x, height }: { span: Span; x: (ms: number) => number; height: number }) {
  return ticksOf(span).map(({ at, isDay }) => (
    <g key={at}>
      <line x1={x(at)} x2={x(at)} y1={axisHeight - 4} y2={height} className="stroke-line" />
      <text x={x(at) + 3} y={13} className="fill-fg-3 font-mono text-tiny">
        {isDay ? dayName.format(at) : formatClock(at, 'minutes')}
      </text>
    </g>
  ));
}

function Bars({ lane, top, x }: { lane: StackedLane; top: number; x: (ms: number) => number }) {
  const [, go] = useLocation();
  return (
    <>
      {lane.waits.map(({ ref, from, to }) => (
        <rect
          key={`${ref} ${from}`}
          x={x(Date.parse(from))}
          y={top + lane.rows * rowHeight - 6}
          width={Math.max(2, x(Date.parse(to)) - x(Date.parse(from)))}
          height={5}
          rx={2}
          className="fill-hover stroke-edge"
        >
          <title>{`${ref}: submitted, waiting for proof, ${formatMoment(from)} to ${formatMoment(to)}`}</title>
        </rect>
      ))}
      {lane.bars.map(({ ref, from, to, end, agent, row }) => {
        const [left, width] = [x(Date.parse(from)), Math.max(3, x(Date.parse(to)) - x(Date.parse(from)) - 1)];
        const y = top + row * rowHeight;
        return (
          <a
            key={`${ref} ${from}`}
            href={paths.nodeRef(ref)}
            // Hundreds of bars would be too many Tab stops; the lists below link the same nodes.
            tabIndex={-1}
            className={`tone-${looks[end].tone}`}
            onClick={(event) => {
              event.preventDefault();
              go(paths.nodeRef(ref));
            }}
          >
            <title>{`${ref}, ${agent}: ${looks[end].label}, ${formatMoment(from)} to ${formatMoment(to)}`}</title>
            <rect
              x={left}
              y={y}
              width={width}
              height={barHeight}
              rx={3}
              className="fill-tone/35 stroke-tone hover:fill-tone/55"
            />
            {width > 14 && (
              <text x={left + 4} y={y + 11} className="pointer-events-none fill-fg text-tiny">
                {stateMarks[looks[end].tone]}
                {width > 46 && ` ${fitting(ref, width - 20)}`}
              </text>
            )}
          </a>
        );
      })}
    </>
  );
}

/** The part of the name that fits into the bar. */
function fitting(ref: string, width: number): string {
  const letters = Math.floor(width / letterWidth);
  return ref.length <= letters ? ref : `${ref.slice(0, Math.max(1, letters - 1))}…`;
}
