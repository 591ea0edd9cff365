import { Section } from '../../ui/facts.tsx';
import { TimeAgo, withLocalTimes } from '../../ui/time.tsx';
import { nodeIdOf } from './plan-history.tsx';
import { usePlanHistory } from './plan-queries.ts';

/** The latest events of one node. */
export function RecentEvents({ slug, node }: { slug: string; node: string }) {
  const entries = usePlanHistory(slug).data ?? [];
  const own = entries.filter((entry) => nodeIdOf(entry)?.toLowerCase() === node.toLowerCase());
  if (own.length === 0) return null;
  return (
    <Section title="Recent">
      <ul className="flex flex-col gap-1.5">
        {own
          .slice(-8)
          .reverse()
          .map((entry) => (
            <li key={entry.sequence} className="grid grid-cols-[56px_minmax(0,1fr)] items-baseline gap-2">
              <span className="font-mono text-caption text-fg-3">
                <TimeAgo at={entry.at} />
              </span>
              <span className="break-words text-fg-2">{withLocalTimes(entry.says)}</span>
            </li>
          ))}
      </ul>
    </Section>
  );
}
