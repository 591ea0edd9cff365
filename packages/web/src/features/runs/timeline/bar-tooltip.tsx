import { StateIcon } from '../../../ui/appearance.tsx';
import { formatDuration } from '../../../ui/time.tsx';
import { scenarioAppearance } from '../run-appearance.ts';
import type { Bar } from './chart.ts';
import { clock } from './time-span.ts';

/** A bar as text, for people who do not see it. */
export function barText(bar: Bar, start: number): string {
  const lane = bar.lane === null ? '' : `, lane ${bar.lane}`;
  const stall = bar.stall ? `, no events for ${formatDuration(bar.stall.ms)}` : '';
  return `${bar.label}, ${bar.feature}, attempt ${bar.attempt}, ${scenarioAppearance(bar, bar.open).label}${lane}, began at ${clock(bar.from - start)}, ${formatDuration(bar.to - bar.from)}${stall}`;
}

const wide = 280;

/** The only tooltip of the timeline. */
export function BarTooltip({
  bar,
  x,
  y,
  right,
  start,
}: {
  bar: Bar;
  x: number;
  y: number;
  right: number;
  start: number;
}) {
  const appearance = scenarioAppearance(bar, bar.open);
  return (
    <div
      aria-hidden
      className="panel pointer-events-none absolute z-10 flex flex-col gap-0.5 px-3 py-2 shadow-pop"
      style={{ width: wide, left: Math.max(4, Math.min(x + 12, right - wide - 4)), top: Math.max(2, y - 74) }}
    >
      <span className="flex items-center gap-1.5">
        <StateIcon appearance={appearance} size={13} />
        <b className="truncate font-semibold">{bar.label}</b>
      </span>
      <span className="truncate text-fg-3 text-sm">{bar.feature}</span>
      <span className="font-mono text-code text-fg-2">
        {clock(bar.from - start)} · {formatDuration(bar.to - bar.from)} · attempt {bar.attempt}
        {bar.lane !== null && ` · L${bar.lane}`}
      </span>
    </div>
  );
}
