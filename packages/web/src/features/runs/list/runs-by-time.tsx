import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunSummary } from '../../../live/wire.ts';
import { LoadMore } from '../../../ui/load-more.tsx';
import { useListKeys } from '../../../ui/use-list-keys.ts';
import { QueryResult } from '../../shared/query-result.tsx';
import { runPagesQuery, useRuns } from '../run-queries.ts';
import { useChoiceKeys } from './choose-run.tsx';
import type { Choice } from './chosen-runs.ts';
import { RunTable } from './run-table.tsx';
import type { RunsFilter } from './runs-filter.ts';

/** Lists each run once, even if it moved between pages; messages of the hub are newer than the page. */
function useRunRows(pages: readonly { items: readonly RunSummary[] }[] | undefined): readonly RunSummary[] {
  const newest = useRuns().data;
  return useMemo(() => {
    const current = new Map(newest?.map((run) => [run.runId, run]));
    const rows = new Map<string, RunSummary>();
    for (const { items } of pages ?? []) for (const run of items) rows.set(run.runId, current.get(run.runId) ?? run);
    return [...rows.values()];
  }, [pages, newest]);
}

/** The matching runs, newest first, page by page. */
export function RunsByTime({ filter, choice }: { filter: RunsFilter; choice: Choice }) {
  const read = useInfiniteQuery(runPagesQuery(filter));
  const list = useListKeys<HTMLDivElement>();
  const rows = useRunRows(read.data?.pages);
  useChoiceKeys(choice, (runId) => rows.find((run) => run.runId === runId));
  return (
    <QueryResult query={read}>
      {({ pages }) => (
        <>
          <div ref={list}>
            <RunTable runs={rows} choice={choice} />
          </div>
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
