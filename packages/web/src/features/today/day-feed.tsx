import { useInfiniteQuery } from '@tanstack/react-query';
import { FilePen, FolderGit2, KeyRound } from 'lucide-react';
import type { ActivityEntry } from 'signalbox/browser/report';
import { Link } from 'wouter';
import { type Appearance, appearances, StateIcon } from '../../ui/appearance.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { formatClock, formatDateTime, withLocalTimes } from '../../ui/time.tsx';
import { feedQuery } from './today-queries.ts';

const byKind: Readonly<Record<ActivityEntry['kind'], Appearance>> = {
  plan: { tone: 'blocked', label: 'Plan', icon: FilePen },
  claim: appearances.claimed,
  report: appearances.claimed,
  evidence: appearances.done,
  sign_off: appearances.done,
  run: appearances.passed,
  token: { tone: 'warn', label: 'Access', icon: KeyRound },
  repository: { tone: 'blocked', label: 'Repository', icon: FolderGit2 },
};

function appearanceOf({ kind, type, says }: ActivityEntry): Appearance {
  if (type === 'claim_expired') return appearances.orphaned;
  if (type === 'node_submitted') return appearances.submitted;
  if (kind === 'run' && type === 'running') return appearances.running;
  if (/\bfailed\b|\bgave up\b|\brefused\b/.test(says)) return appearances.failed;
  if (type === 'orphaned') return appearances.orphaned;
  return kind === 'run' && !/\bpassed\b/.test(says) ? appearances.indeterminate : byKind[kind];
}

/** Everything that happened, newest first. */
export function DayFeed({ since }: { since: string }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(feedQuery(since));
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <section className="panel flex max-h-[520px] flex-col overflow-hidden" aria-label="Feed">
      <h2 className="flex items-baseline gap-2 border-line border-b px-3.5 py-2.5 font-semibold">
        Feed <span className="font-mono font-normal text-fg-3 text-xs">{formatCount(total)}</span>
      </h2>
      {entries.length === 0 && <p className="px-3.5 py-2.5 text-fg-3">Nothing happened.</p>}
      <ul className="min-h-0 overflow-y-auto py-1.5" data-scrolls>
        {entries.map((entry) => (
          <li key={entry.id} className="grid grid-cols-[38px_14px_minmax(0,1fr)] items-baseline gap-2 px-3.5 py-1">
            <time dateTime={entry.at} title={formatDateTime(entry.at)} className="font-mono text-caption text-fg-3">
              {formatClock(Date.parse(entry.at), 'minutes')}
            </time>
            <span aria-hidden className="self-start pt-[3px]">
              <StateIcon appearance={appearanceOf(entry)} size={13} />
            </span>
            <Link href={entry.href} className="break-words rounded text-fg-2 hover:text-fg hover:underline">
              {withLocalTimes(entry.says)}
            </Link>
          </li>
        ))}
        {hasNextPage && (
          <li className="px-3.5 py-2">
            <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}
