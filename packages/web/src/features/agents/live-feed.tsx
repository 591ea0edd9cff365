import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { formatClock, withLocalTimes } from '../../ui/time.tsx';
import { newsStore } from '../news/news-store.ts';
import { useLastHour } from './last-hour.ts';
import { EmptyLine, PanelCard } from './panel-card.tsx';

const shownLines = 14;

/** The events since this page was opened, newest first, and below them those of the hour before. */
export function LiveFeed() {
  const list = useStore(newsStore, (state) => state.list).slice(0, shownLines);
  const oldest = list.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  const before = useLastHour().filter(({ at }) => at < oldest);
  const past = before.slice(0, Math.max(0, shownLines - list.length));
  return (
    <PanelCard icon={Activity} title="Live feed">
      {list.length + past.length === 0 && <EmptyLine>Nothing happened in the last hour.</EmptyLine>}
      <ul>
        {list.map(({ id, at, appearance, who, sentence, href }) => (
          <Line key={id} at={at} icon={<StateIcon appearance={appearances[appearance]} size={13} />}>
            <Link href={href} className="rounded font-semibold text-fg hover:underline">
              {who}
            </Link>{' '}
            {sentence}
          </Line>
        ))}
        {past.map(({ key, at, href, text }) => (
          <Line key={key} at={at}>
            <Link href={href} className="rounded hover:underline">
              {withLocalTimes(text)}
            </Link>
          </Line>
        ))}
      </ul>
    </PanelCard>
  );
}

function Line({ at, icon, children }: { at: number; icon?: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[60px_minmax(0,1fr)] items-baseline gap-2 px-3 py-1">
      <time className="font-mono text-caption text-fg-3">{formatClock(at, 'seconds')}</time>
      <span className="break-words text-fg-2">
        {icon && <span className="mr-1.5 inline-block align-[-2px]">{icon}</span>}
        {children}
      </span>
    </li>
  );
}
