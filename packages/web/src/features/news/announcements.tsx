import { useEffect, useRef } from 'react';
import type { Need, RunSummary } from '../../live/wire.ts';
import { announce } from '../../ui/announcer.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { withLocalTimes } from '../../ui/time.tsx';
import { useNeeds } from '../home/needs-queries.ts';
import { useRuns } from '../runs/run-queries.ts';
import { newlyFailed, newNeeds } from './news.ts';
import { followNews } from './news-store.ts';

/** The changes between two query results; the first result is not announced. */
function useNewest<Row>(rows: readonly Row[] | undefined, tell: (before: readonly Row[], now: readonly Row[]) => void) {
  const before = useRef<readonly Row[]>(undefined);
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    if (before.current && rows) latest.current(before.current, rows);
    before.current = rows;
  }, [rows]);
}

/** Announces every new need. */
export function NewNeeds() {
  useEffect(followNews, []);
  useNewest<Need>(useNeeds().data?.needs, (before, now) => {
    for (const { title, kind, detail } of newNeeds(before, now))
      announce(
        `${title}${kind === 'agent_waiting' ? ' waits for you' : ''}: ${withLocalTimes(detail).replace(/\.$/, '')}`,
        'need you',
      );
  });
  return null;
}

/** Announces every run that ends with failures. */
export function FailedRuns() {
  useNewest<RunSummary>(useRuns().data, (before, now) => {
    for (const { suite, failed } of newlyFailed(before, now))
      announce(
        failed > 0 ? `Run of ${suite} failed: ${countWithNoun(failed, 'failure')}` : `Run of ${suite} did not pass`,
        'runs failed',
      );
  });
  return null;
}
