import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { StateBar } from '../../../ui/state-bar.tsx';
import { formatDateTime, withLocalTimes } from '../../../ui/time.tsx';
import { countByAppearance } from '../../nodes/node-appearance.ts';
import type { PastPlanView } from './use-past-plan.ts';

/** A slider over the history: the graph above shows the plan right after the chosen event. */
export function TimeBar({ past: { entries, count, nodes, show } }: { past: PastPlanView }) {
  const entry = entries[count - 1];
  if (!entry) return null;
  const parts = countByAppearance(nodes);
  const done = parts.find(({ appearance }) => appearance.label === 'Done')?.count ?? 0;
  return (
    <section
      aria-label="Plan in time"
      className="flex shrink-0 flex-col gap-1.5 border-line border-t bg-surface px-page py-2.5"
    >
      <div className="flex items-center gap-2">
        <IconButton icon={ChevronLeft} label="Previous event" disabled={count <= 1} onClick={() => show(count - 1)} />
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={`${formatDateTime(entry.at)}: ${withLocalTimes(entry.says)}`}
          min={1}
          max={entries.length}
          value={count}
          onChange={({ target }) => show(Number(target.value))}
          className="h-6 min-w-0 flex-1 cursor-pointer accent-(--accent)"
        />
        <IconButton
          icon={ChevronRight}
          label="Next event"
          disabled={count >= entries.length}
          onClick={() => show(count + 1)}
        />
        <Button onClick={() => show(null)}>Back to now</Button>
      </div>
      <div className="flex items-center gap-x-3 gap-y-1 max-md:flex-wrap">
        <span className="shrink-0 font-mono text-code text-fg-3">
          {count} of {entries.length}
        </span>
        <span className="shrink-0 font-mono text-code">{formatDateTime(entry.at)}</span>
        <span className="min-w-0 text-fg-2 max-md:basis-full md:flex-1 md:truncate">{withLocalTimes(entry.says)}</span>
        <span className="w-[180px] max-md:flex-1 md:shrink-0">
          <StateBar parts={parts} total={nodes.length} />
        </span>
        <span className="shrink-0 font-mono text-code text-fg-2">
          {done}/{nodes.length} done
        </span>
      </div>
    </section>
  );
}
