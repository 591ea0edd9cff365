import { useQueries } from '@tanstack/react-query';
import { TrendingUp } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { PlanSummary } from '../../live/wire.ts';
import { formatCount } from '../../ui/format-count.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { formatShortDay, formatShortMoment, useNow } from '../../ui/time.tsx';
import { burnUpQuery } from './plan-queries.ts';
import { type BurnUpLevel, sumLevels } from './time/burn-up-levels.ts';
import { levelsWithin, steppedArea } from './time/level-path.ts';

const maxPlans = 60;

type BurnUp = {
  /** The history of each plan, by slug. */
  levels: ReadonlyMap<string, readonly BurnUpLevel[]>;
  reading: 'pending' | 'failed' | 'done';
};

export function useBurnUp(plans: readonly PlanSummary[]): BurnUp {
  const shown = plans.slice(0, maxPlans);
  const results = useQueries({ queries: shown.map(burnUpQuery) });
  const read = results.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lists each time, with the same things in them
  const levels = useMemo(
    () => new Map(shown.map(({ slug }, index) => [slug, read[index] ?? []])),
    [shown.map(({ slug }) => slug).join(), ...read],
  );
  const isFailed = results.some(({ isError }) => isError);
  return { levels, reading: results.some(({ isPending }) => isPending) ? 'pending' : isFailed ? 'failed' : 'done' };
}

const withoutLevels = {
  pending: null,
  failed: 'The history of these plans could not be read, so their burn-up is not shown.',
  done: 'No nodes yet.',
};

const day = 86_400_000;
const spans = { week: 7 * day, month: 30 * day, all: Number.POSITIVE_INFINITY } as const;
const spanTexts = { week: 'in 7 days', month: 'in 30 days', all: 'since the start' } as const;
/** The positions on the axes, as shares, that have a line and a label. */
const [timeTicks, countTicks] = [
  [0, 0.25, 0.5, 0.75],
  [1, 0.5, 0],
] as const;
type Span = keyof typeof spans;
const [width, height] = [1000, 96];

const thin = { vectorEffect: 'non-scaling-stroke' } as const;
const gridLines = [
  ...timeTicks.map((share) => `M${share * width} 0V${height}`),
  ...countTicks.map((share) => `M0 ${share * height}H${width}`),
].join('');

/** The number of nodes and of done nodes over time, for all plans, or for those that are loaded. */
export function BurnUpChart({ levels, reading, plans }: BurnUp & { plans: number }) {
  const [span, setSpan] = useState<Span>('month');
  const title = useId();
  const now = Math.floor(useNow() / 60_000) * 60_000 + 60_000;
  const sum = useMemo(() => sumLevels([...levels.values()]), [levels]);
  const shown = useMemo(() => levelsWithin(sum, now - spans[span], now), [sum, span, now]);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last)
    return <div className="panel mb-3 grid h-[159px] place-items-center px-4 text-fg-3">{withoutLevels[reading]}</div>;
  const start = first.at === now - spans[span] ? first : { total: 0, done: 0 };
  const top = Math.max(1, ...shown.map(({ total }) => total));
  const area = (of: (level: BurnUpLevel) => number) =>
    steppedArea(shown, of, { from: first.at, to: now, top, width, height });
  const formatTick = now - first.at > 3 * day ? formatShortDay : formatShortMoment;
  const labels = timeTicks.map((share) => formatTick(first.at + share * (now - first.at)));
  return (
    <section aria-labelledby={title} className="panel mb-3 flex flex-col gap-2 px-4 py-3">
      <div className="flex items-center gap-2 max-md:flex-wrap">
        <TrendingUp size={15} className="text-fg-3" aria-hidden />
        <h2 id={title} className="font-semibold">
          Burn-up
        </h2>
        <p className="text-fg-3">
          {last.done} of {last.total} done; {signed(last.done - start.done)} done, {signed(last.total - start.total)}{' '}
          {Math.abs(last.total - start.total) === 1 ? 'node' : 'nodes'} {spanTexts[span]}
          {plans > levels.size && `, in the ${levels.size} plans that changed last`}
        </p>
        <span className="ml-auto flex items-center gap-4 text-caption text-fg-3">
          <Key tone="tone-done" text="done" />
          <Key tone="tone-blocked" text="to do" />
          <Segmented
            label="Range"
            value={span}
            onChange={setSpan}
            choices={[
              { value: 'week', label: '7 days' },
              { value: 'month', label: '30 days' },
              { value: 'all', label: 'All' },
            ]}
          />
        </span>
      </div>
      <div className="flex gap-2 font-mono text-caption text-fg-3">
        <span className="flex h-[88px] flex-col justify-between text-right leading-none" aria-hidden="true">
          {countTicks.map((share) => (
            <span key={share}>{Number.isInteger(top * share) && formatCount(top * share)}</span>
          ))}
        </span>
        <div className="min-w-0 flex-1">
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className="h-[88px] w-full"
            aria-hidden="true"
          >
            <path d={area(({ total }) => total)} className="tone-blocked fill-tone/25 stroke-tone" {...thin} />
            <path d={area(({ done }) => done)} className="tone-done fill-tone opacity-70" />
            <path d={gridLines} className="stroke-edge/50" {...thin} />
          </svg>
          <p className="grid grid-cols-4 pt-1">
            {timeTicks.map((share, index) => (
              <span key={share} className={`flex justify-between ${index % 2 === 1 ? 'max-md:invisible' : ''}`}>
                {labels[index] !== labels[index - 1] && labels[index]}
                {index === timeTicks.length - 1 && <span className="visible ml-auto">now</span>}
              </span>
            ))}
          </p>
        </div>
      </div>
    </section>
  );
}

const Key = ({ tone, text }: { tone: string; text: string }) => (
  <span className={`${tone} flex items-center gap-1.5`}>
    <i className="size-2 rounded-sm bg-tone" /> {text}
  </span>
);

const signed = (value: number): string => (value >= 0 ? `+${value}` : String(value));

/** The burn-up of one plan as a small inline chart. */
export function Sparkline({ levels }: { levels: readonly BurnUpLevel[] }) {
  const [first, last] = [levels[0], levels.at(-1)];
  if (!first || !last || levels.length < 2) return <span className="h-6 w-[120px] shrink-0" />;
  const top = Math.max(1, ...levels.map(({ total }) => total));
  const to = Math.max(last.at + (last.at - first.at) * 0.05, first.at + 1);
  const area = (of: (level: BurnUpLevel) => number) =>
    steppedArea(levels, of, { from: first.at, to, top, width: 120, height: 24 });
  return (
    <svg
      viewBox="0 0 120 24"
      role="img"
      aria-label={`Burn-up: ${last.done} of ${last.total} done`}
      className="h-6 w-[120px] shrink-0"
    >
      <path d={area(({ total }) => total)} className="tone-blocked fill-tone opacity-25" />
      <path d={area(({ done }) => done)} className="tone-done fill-tone opacity-80" />
    </svg>
  );
}
