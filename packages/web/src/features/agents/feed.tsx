import { Activity } from 'lucide-react';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import { newsroom } from '../../live/newsroom.ts';
import { looks, StateIcon } from '../../ui/tone.tsx';
import { Card, None } from './card.tsx';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** What happened since this page was opened, newest first. */
export function Feed() {
  const list = useStore(newsroom, (state) => state.list);
  return (
    <Card icon={Activity} title="Live feed">
      {list.length === 0 && <None>Nothing has happened since you opened this page.</None>}
      <ul>
        {list.slice(0, 14).map(({ id, at, look, who, says, href }) => (
          <li key={id} className="grid grid-cols-[60px_16px_minmax(0,1fr)] items-baseline gap-2 px-3 py-1">
            <time className="font-mono text-[11px] text-fg-3">{clock.format(at)}</time>
            <span className="self-center">
              <StateIcon look={looks[look]} size={13} />
            </span>
            <span className="break-words text-fg-2">
              <Link href={href} className="rounded font-semibold text-fg hover:underline">
                {who}
              </Link>{' '}
              {says}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
