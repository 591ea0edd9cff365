import { useMemo } from 'react';
import type { RunDetail } from '../../live/wire.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { Compare, earlierOf } from './compare/compare.tsx';
import { countFailures, Failures } from './failures.tsx';
import { useRuns } from './run-queries.ts';
import { Scenarios } from './scenarios.tsx';
import { Workers } from './workers.tsx';

type RunTab = 'scenarios' | 'failures' | 'workers' | 'compare';

/** The content of the run as text: its scenarios, its failures, its workers, or its differences from another run. */
export function RunViews({ detail }: { detail: RunDetail }) {
  const [word, setWord] = useSearchParam('view');
  const [other, setOther] = useSearchParam('compare');
  const runs = useRuns().data;
  const [natural] = useMemo(() => earlierOf(detail.run, runs ?? []), [detail.run, runs]);
  const failures = useMemo(() => countFailures(detail), [detail]);
  const view: RunTab = other ? 'compare' : word === 'failures' || word === 'workers' ? word : 'scenarios';
  const open = (to: RunTab) => {
    setOther(to === 'compare' ? (other ?? natural?.runId ?? null) : null);
    setWord(to === 'failures' || to === 'workers' ? to : null);
  };
  const views = (
    <Segmented
      label="View"
      value={view}
      onChange={open}
      choices={[
        { value: 'scenarios', label: 'Scenarios' },
        { value: 'failures', label: `Failures ${failures}` },
        { value: 'workers', label: 'Workers' },
        ...(other || natural ? [{ value: 'compare' as const, label: 'Compare' }] : []),
      ]}
    />
  );
  if (view === 'scenarios') return <Scenarios detail={detail} views={views} />;
  if (view === 'compare' && other) return <Compare detail={detail} other={other} views={views} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">{views}</div>
      {view === 'workers' ? <Workers detail={detail} /> : <Failures detail={detail} />}
    </>
  );
}
