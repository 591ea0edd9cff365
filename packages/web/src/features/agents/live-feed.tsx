import { Activity } from 'lucide-react';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { newsStore } from '../news/news-store.ts';
import { EmptyLine, PanelCard } from './panel-card.tsx';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** What happened since this page was opened, newest first. */
export function LiveFeed() {
  const list = useStore(newsStore, (state) => state.list);
  return (
    <PanelCard icon={Activity} title="Live feed">
      {list.length === 0 && <EmptyLine>Nothing has happened since you opened this page.</EmptyLine>}
      <ul>
        {list.slice(0, 14).map(({ id, at, appearance, who, sentence, href }) => (
          <li key={id} className="grid grid-cols-[60px_16px_minmax(0,1fr)] items-baseline gap-2 px-3 py-1">
            <time className="font-mono text-caption text-fg-3">{clock.format(at)}</time>
            <span className="self-center">
              <StateIcon appearance={appearances[appearance]} size={13} />
            </span>
            <span className="break-words text-fg-2">
              <Link href={href} className="rounded font-semibold text-fg hover:underline">
                {who}
              </Link>{' '}
              {sentence}
            </span>
          </li>
        ))}
      </ul>
    </PanelCard>
  );
}
