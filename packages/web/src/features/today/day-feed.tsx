import { useInfiniteQuery } from '@tanstack/react-query';
import type { ActivityEntry } from 'signalbox/browser/report';
import { Link } from 'wouter';
import type { Tone } from '../../ui/appearance.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { formatClock, formatDateTime, withLocalTimes } from '../../ui/time.tsx';
import { feedQuery } from './today-queries.ts';

const tones: Readonly<Record<ActivityEntry['kind'], Tone>> = {
  plan: 'blocked',
  claim: 'active',
  report: 'active',
  evidence: 'done',
  sign_off: 'done',
  run: 'ready',
  token: 'warn',
  repository: 'indet',
};

const toneOf = ({ kind, type, says }: ActivityEntry): Tone => {
  if (type === 'claim_expired') return 'orphan';
  if (type === 'node_submitted') return 'handed';
  return /\bfailed\b|\bgave up\b|\brefused\b/.test(says) ? 'fail' : tones[kind];
};

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
          <li key={entry.id} className="grid grid-cols-[38px_10px_minmax(0,1fr)] items-baseline gap-2 px-3.5 py-1">
            <time dateTime={entry.at} title={formatDateTime(entry.at)} className="font-mono text-caption text-fg-3">
              {formatClock(Date.parse(entry.at), 'minutes')}
            </time>
            <i className={`tone-${toneOf(entry)} size-2 self-center rounded-full bg-tone`} aria-hidden />
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
