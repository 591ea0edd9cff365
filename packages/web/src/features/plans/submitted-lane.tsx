import type { NodeView } from '../../live/wire.ts';
import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { bindingText } from '../nodes/node-text.ts';

/** Nodes that wait for their proof, longest first. They are finished and not offered to anybody. */
export function SubmittedLane({
  nodes,
  selected,
  onSelect,
}: {
  nodes: readonly NodeView[];
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const submitted = nodes
    .filter(({ status, submission }) => status === 'submitted' && submission !== null)
    .toSorted((a, b) => ((a.submission?.at ?? '') < (b.submission?.at ?? '') ? -1 : 1));
  if (submitted.length === 0) return null;
  return (
    <section
      aria-label="Submitted"
      className="tone-handed flex shrink-0 items-stretch gap-2 overflow-x-auto border-line border-b bg-surface px-page py-2"
    >
      <h2 className="flex shrink-0 items-center gap-1.5 pr-1 font-medium text-note text-tone-text">
        <StateIcon appearance={appearances.submitted} size={14} />
        Submitted
        <span className="font-mono text-caption">{submitted.length}</span>
      </h2>
      <ul className="flex gap-2">
        {submitted.map(({ id, title, submission, binding }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id.toLowerCase() === selected?.toLowerCase()}
              onClick={() => onSelect(id)}
              className="tint flex max-w-[260px] flex-col rounded-[7px] border border-l-[3px] border-l-[var(--tone)] px-2.5 py-1 text-left aria-pressed:outline-2 aria-pressed:outline-fg"
            >
              <span className="max-w-full truncate font-semibold text-note">{title}</span>
              <span className="flex max-w-full gap-1.5 text-fg-2 text-xs">
                <span className="truncate">{submission?.agent}</span>
                {submission && (
                  <span className="shrink-0">
                    <TimeAgo at={submission.at} suffix=" ago" />
                  </span>
                )}
                <span className="truncate text-fg-3">awaits {bindingText(binding)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
