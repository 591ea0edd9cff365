import { useStore } from 'zustand';
import { connection, type Link } from '../live/connection.ts';
import type { Tone } from '../ui/appearance.tsx';
import { formatAge, useNow } from '../ui/time.tsx';

const linkTexts: Record<Link, { text: string; tone: Tone; title: string }> = {
  live: { text: 'Live', tone: 'done', title: 'Every change is shown as it happens.' },
  polling: {
    text: 'Every 2 s',
    tone: 'done',
    title: 'The run console sends no messages; this page reads every two seconds.',
  },
  connecting: { text: 'Connecting', tone: 'warn', title: 'Waiting for the service to answer.' },
  lost: {
    text: 'Reconnecting',
    tone: 'fail',
    title: 'The service does not answer. What you see is the last known state.',
  },
};

const staleText: (typeof linkTexts)[Link] = {
  text: 'Not current',
  tone: 'fail',
  title: 'The host cannot reach its database. What you see is the last known state.',
};

/** Shows whether the page is up to date. */
export function ConnectionBadge() {
  const { link, heardAt, staleSince } = useStore(connection);
  const now = useNow();
  const isStale = staleSince !== null && link !== 'lost';
  const { text, tone, title } = isStale ? staleText : linkTexts[link];
  const knownAt = isStale ? Date.parse(staleSince) : link === 'live' || link === 'polling' ? null : heardAt;
  const age = knownAt === null ? '' : formatAge(Math.max(0, now - knownAt));
  return (
    <p
      role="status"
      title={title}
      className={`tone-${tone} mt-2 flex items-center gap-2 whitespace-nowrap border-line border-t px-2 pt-3 text-code text-fg-3 max-lg:justify-center`}
    >
      <i className={`size-2 shrink-0 rounded-full bg-tone ${link === 'live' && !isStale ? 'pulse' : ''}`} />
      <span className="max-lg:sr-only">{text}</span>
      <span className="ml-auto font-mono max-lg:hidden">{age || `:${location.port || '80'}`}</span>
    </p>
  );
}
