import { DatabaseZap, PlugZap } from 'lucide-react';
import { useStore } from 'zustand';
import { connection, useServiceUnreachable } from '../live/connection.ts';
import { formatClock } from '../ui/time.tsx';
import { awayText } from './away-text.ts';

/** Shown over every page while the host that serves it cannot reach its database. */
function StaleBanner({ since }: { since: number }) {
  return (
    <div role="alert" className="tone-fail tint flex items-center gap-2.5 border-b px-page py-2">
      <DatabaseZap size={16} className="shrink-0 text-tone-text" aria-hidden />
      <p className="min-w-0 text-fg">
        <b className="font-semibold text-tone-text">As of {formatClock(since, 'seconds')}.</b> The database has been
        unreachable since then. Nothing can be changed until it is back; this page then continues by itself.
      </p>
    </div>
  );
}

/** Shown over every page while the service does not answer. */
export function AwayBanner() {
  const away = useServiceUnreachable();
  const { heardAt, staleSince } = useStore(connection);
  if (!away) return staleSince === null ? null : <StaleBanner since={Date.parse(staleSince)} />;
  return (
    <div role="alert" className="tone-fail tint flex items-center gap-2.5 border-b px-page py-2">
      <PlugZap size={16} className="shrink-0 text-tone-text" aria-hidden />
      <p className="min-w-0 text-fg">
        <b className="font-semibold text-tone-text">Signalbox does not answer.</b>{' '}
        {awayText(heardAt === null ? null : formatClock(heardAt, 'seconds'))}
      </p>
    </div>
  );
}
