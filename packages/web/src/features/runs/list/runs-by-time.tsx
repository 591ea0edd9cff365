import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunSummary } from '../../../live/wire.ts';
import { LoadMore } from '../../../ui/load-more.tsx';
import { useListKeys } from '../../../ui/use-list-keys.ts';
import { QueryResult } from '../../shared/query-result.tsx';
import { runPagesQuery, useRuns } from '../run-queries.ts';
import { ChooseRun, useChoiceKeys } from './choose-run.tsx';
import type { Choice } from './chosen-runs.ts';
import { RunRow } from './run-row.tsx';
import type { RunsFilter } from './runs-filter.ts';

/** Each run once, even if it moved between pages; messages of the hub are newer than the page. */
function useRunRows(pages: readonly { items: readonly RunSummary[] }[] | undefined): readonly RunSummary[] {
  const newest = useRuns().data;
  return useMemo(() => {
    const current = new Map(newest?.map((run) => [run.runId, run]));
    const rows = new Map<string, RunSummary>();
    for (const { items } of pages ?? []) for (const run of items) rows.set(run.runId, current.get(run.runId) ?? run);
    return [...rows.values()];
  }, [pages, newest]);
}

/** The runs that fit, newest first, page by page. */
export function RunsByTime({ filter, choice }: { filter: RunsFilter; choice: Choice }) {
  const read = useInfiniteQuery(runPagesQuery(filter));
  const list = useListKeys<HTMLUListElement>();
  const rows = useRunRows(read.data?.pages);
  const several = new Set(rows.map(({ host }) => host)).size > 1;
  useChoiceKeys(choice, (runId) => rows.find((run) => run.runId === runId));
  return (
    <QueryResult query={read}>
      {({ pages }) => (
        <>
          <ul ref={list} className="flex flex-col gap-2">
            {rows.map((run) => (
              <li key={run.runId} data-run={run.runId} className="flex items-stretch gap-1">
                <ChooseRun run={run} choice={choice} />
                <RunRow run={run} host={several ? run.host : null} />
              </li>
            ))}
          </ul>
          {rows.length === 0 && <p className="py-8 text-center text-fg-3">No matching runs.</p>}
          {read.hasNextPage && (
            <LoadMore
              shown={rows.length}
              total={pages.at(-1)?.total ?? 0}
              noun="run"
              isBusy={read.isFetchingNextPage}
              onMore={() => void read.fetchNextPage()}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}
