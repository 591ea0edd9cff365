import { useStore } from 'zustand';
import { connection, type Link } from '../live/connection.ts';
import type { Tone } from '../ui/appearance.tsx';
import { formatAge, useBrowserNow, useNow } from '../ui/time.tsx';

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
    title: 'The service does not answer. You see the last known state.',
  },
};

const staleText: (typeof linkTexts)[Link] = {
  text: 'Not current',
  tone: 'fail',
  title: 'The host cannot reach its database. You see the last known state.',
};

/** Shows whether the page is up to date. */
export function ConnectionBadge() {
  const { link, heardAt, staleSince } = useStore(connection);
  const now = useNow();
  const browserNow = useBrowserNow();
  const isStale = staleSince !== null && link !== 'lost';
  const isUpToDate = link === 'live' || link === 'polling';
  const { text, tone, title } = isStale ? staleText : linkTexts[link];
  const ageMs = isStale ? now - Date.parse(staleSince) : isUpToDate || heardAt === null ? null : browserNow - heardAt;
  const age = ageMs === null ? '' : formatAge(Math.max(0, ageMs));
  return (
    <p
      role="status"
      title={title}
      className={`tone-${tone} mt-2 flex items-center gap-2 whitespace-nowrap border-line border-t px-2 pt-3 text-code text-fg-3 max-lg:no-menu:justify-center max-lg:no-menu:gap-1.5 max-lg:no-menu:px-0 max-lg:no-menu:text-tiny`}
    >
      <i className={`size-2 shrink-0 rounded-full bg-tone ${link === 'live' && !isStale ? 'pulse' : ''}`} />
      <span className="min-w-0 truncate">{text}</span>
      <span className="ml-auto font-mono max-lg:no-menu:hidden">{age || `:${location.port || '80'}`}</span>
    </p>
  );
}
