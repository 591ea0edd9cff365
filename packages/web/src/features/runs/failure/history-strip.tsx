import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../../live/call.ts';
import type { RunSummary, TestHistory, TestVerdict } from '../../../live/wire.ts';
import { paths } from '../../../paths.ts';
import { StateIcon } from '../../../ui/appearance.tsx';
import { Section } from '../../../ui/facts.tsx';
import { countWithNoun } from '../../../ui/format-count.ts';
import { Chip } from '../../../ui/page.tsx';
import { formatAge, formatDuration, useNow } from '../../../ui/time.tsx';
import { VerdictBar } from '../../../ui/verdict-bar.tsx';
import { queryKeys } from '../../shared/query-keys.ts';
import { shareOfChanges, shareOfRuns } from '../../tests/rates.ts';
import { scenarioAppearance } from '../run-appearance.ts';

export const verdictsShown = 50;

export const testHistoryQuery = (uid: string, { repository, suite }: Pick<RunSummary, 'repository' | 'suite'>) => ({
  queryKey: [...queryKeys.tests, repository, suite, uid],
  queryFn: () => call('test_history', { uid, repository, suite, limit: verdictsShown }),
  staleTime: 10_000,
});

/** The last verdicts of a test, oldest first, each a link to its run. */
export function HistoryStrip({ uid, run }: { uid: string; run: RunSummary }) {
  const { data } = useQuery(testHistoryQuery(uid, run));
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="History">
      <Verdicts items={data.items} uid={uid} current={run.runId} />
      <Facts history={data} />
    </Section>
  );
}

function Verdicts({ items, uid, current }: { items: readonly TestVerdict[]; uid: string; current: string }) {
  const now = useNow();
  const longest = Math.max(1, ...items.map(({ durationMs }) => durationMs ?? 0));
  return (
    <ol aria-label={`Last ${items.length} verdicts`} className="flex h-9 max-w-full items-end gap-px overflow-x-auto">
      {items.toReversed().map(({ runId, at, outcome, durationMs, branch, commit }) => {
        const appearance = scenarioAppearance({ outcome }, false);
        const height = 10 + Math.round(((durationMs ?? 0) / longest) * 20);
        const title = [
          appearance.label,
          `${formatAge(Math.max(0, now - Date.parse(at)))} ago`,
          formatDuration(durationMs),
          branch,
          commit?.slice(0, 8),
        ];
        return (
          <li key={runId} className="flex h-full items-end">
            <Link
              href={paths.test(runId, uid)}
              title={title.filter(Boolean).join(', ')}
              aria-label={title.filter(Boolean).join(', ')}
              aria-current={runId === current ? 'page' : undefined}
              className="flex h-full w-2.5 items-end rounded-sm hover:bg-hover aria-[current=page]:bg-hover"
            >
              <VerdictBar appearance={appearance} height={height} className="mx-px w-2" />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

function failedText(failRate: number, runs: number): string {
  if (failRate === 0) return `no failure in ${countWithNoun(runs, 'run')}`;
  return runs === 1 ? 'failed in its only run' : `failed in ${shareOfRuns(failRate, runs)} runs`;
}

function Facts({ history: { items, flipRate, failRate, sinceRunId, sinceCommit } }: { history: TestHistory }) {
  const now = useNow();
  const since = items.find(({ runId }) => runId === sinceRunId);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-fg-2">
      {since && sinceRunId ? (
        <span className="inline-flex items-center gap-1.5">
          <StateIcon appearance={scenarioAppearance({ outcome: 'Failed' }, false)} size={13} />
          <span>
            failing for{' '}
            <Link href={paths.run(sinceRunId)} className="underline decoration-dotted underline-offset-2">
              {formatAge(Math.max(0, now - Date.parse(since.at)))}
            </Link>
            {sinceCommit && (
              <>
                , since <code className="font-mono text-code">{sinceCommit.slice(0, 8)}</code>
              </>
            )}
          </span>
        </span>
      ) : null}
      <Chip>{failedText(failRate, items.length)}</Chip>
      {flipRate > 0 && (
        <Chip title="How often the verdict changed from one run to the next">
          changed in {shareOfChanges(flipRate, items.length)}
        </Chip>
      )}
    </p>
  );
}
