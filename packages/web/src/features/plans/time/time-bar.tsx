import { ChevronLeft, ChevronRight } from 'lucide-react';
import { countLooks } from '../../../node/look.ts';
import { StateBar } from '../../../ui/bar.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { readable, when } from '../../../ui/time.tsx';
import type { Past } from './use-past.ts';

/** A slider over everything that happened: the drawing above is the plan right after the event it stands on. */
export function TimeBar({ past: { entries, count, nodes, show } }: { past: Past }) {
  const entry = entries[count - 1];
  if (!entry) return null;
  const parts = countLooks(nodes);
  const done = parts.find(({ look }) => look.label === 'Done')?.count ?? 0;
  return (
    <section
      aria-label="Plan in time"
      className="flex shrink-0 flex-col gap-1.5 border-line border-t bg-surface px-[18px] py-2.5"
    >
      <div className="flex items-center gap-2">
        <IconButton icon={ChevronLeft} label="One event back" disabled={count <= 1} onClick={() => show(count - 1)} />
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={`${when(entry.at)}: ${readable(entry.says)}`}
          min={1}
          max={entries.length}
          value={count}
          onChange={({ target }) => show(Number(target.value))}
          className="h-6 min-w-0 flex-1 cursor-pointer accent-[var(--primary)]"
        />
        <IconButton
          icon={ChevronRight}
          label="One event on"
          disabled={count >= entries.length}
          onClick={() => show(count + 1)}
        />
        <Button onClick={() => show(null)}>Back to now</Button>
      </div>
      <div className="flex items-center gap-3">
        <span className="shrink-0 font-mono text-[11.5px] text-fg-3">
          {count} of {entries.length}
        </span>
        <span className="shrink-0 font-mono text-[11.5px]">{when(entry.at)}</span>
        <span className="min-w-0 flex-1 truncate text-fg-2">{readable(entry.says)}</span>
        <span className="w-[180px] shrink-0">
          <StateBar parts={parts} total={nodes.length} />
        </span>
        <span className="shrink-0 font-mono text-[11.5px] text-fg-2">
          {done}/{nodes.length} done
        </span>
      </div>
    </section>
  );
}
