import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { RunSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { formatDuration, useNow } from '../../ui/time.tsx';
import { type ConcurrentRun, concurrentRuns } from './concurrent-runs.ts';
import { runAppearance } from './run-appearance.ts';
import { useRuns } from './run-queries.ts';
import type { TimeSpan } from './timeline/time-span.ts';

const collapsedCount = 3;
const none: never[] = [];

type Props = { run: RunSummary; span: TimeSpan; gutter: number };

/** Other runs on this host at the same time, on the axis of the lanes above: a possible reason for a slow or flaky run. */
export function ConcurrentRunRows({ run, span, gutter }: Props) {
  const [all, setAll] = useState(false);
  const runs = useRuns().data ?? none;
  const now = useNow();
  const others = useMemo(() => concurrentRuns(run, runs, now), [run, runs, now]);
  if (others.length === 0) return null;
  const shown = all ? others : others.slice(0, collapsedCount);
  return (
    <section aria-label="At the same time on this host" className="border-line border-t py-1.5">
      <h3 className="flex items-center gap-2 px-2.5 pb-1 text-fg-3 text-xs">
        {others.length} other {others.length === 1 ? 'run' : 'runs'} on this host at the same time
        {others.length > collapsedCount && (
          <button type="button" className="min-h-6 rounded px-1 underline" onClick={() => setAll(!all)}>
            {all ? 'show fewer' : 'show all'}
          </button>
        )}
      </h3>
      <ul className={all ? 'max-h-[160px] overflow-y-auto' : ''}>
        {shown.map((one) => (
          <li key={one.run.runId}>
            <Row concurrent={one} span={span} gutter={gutter} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({
  concurrent: { run, from, to, sharedMs },
  span,
  gutter,
}: {
  concurrent: ConcurrentRun;
  span: TimeSpan;
  gutter: number;
}) {
  const appearance = runAppearance(run);
  const share = (at: number) => Math.max(0, Math.min(1, (at - span.from) / (span.to - span.from))) * 100;
  const [left, right] = [share(from), share(to)];
  return (
    <Link
      href={paths.run(run.runId)}
      title={`${run.suite}${run.tag ? `, ${run.tag}` : ''}: ${formatDuration(sharedMs)} at the same time`}
      className="flex h-6 items-center rounded hover:bg-hover"
    >
      <span className="flex shrink-0 items-center gap-1.5 pr-2 pl-2.5" style={{ width: gutter }}>
        <StateIcon appearance={appearance} size={13} />
        <span className="truncate text-code text-fg-2">{run.suite}</span>
      </span>
      <span className="relative mr-3 h-3.5 min-w-0 flex-1 overflow-hidden">
        <i
          className="absolute inset-y-0 block rounded-[3px] border border-edge bg-track"
          style={{ left: `${left}%`, width: `${Math.max(0.3, right - left)}%` }}
        />
      </span>
      <span className="sr-only">{formatDuration(sharedMs)} at the same time</span>
    </Link>
  );
}
