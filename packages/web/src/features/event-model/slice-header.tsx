import { memo } from 'react';
import { type Layout, startLabel } from 'signalbox/browser/event-model-layout';
import { StateIcon } from '../../ui/appearance.tsx';
import { evidenceAppearance } from './evidence-appearance.ts';

type Props = {
  id: string;
  header: Layout['headers'][number];
  position: number;
  total: number;
  on: boolean;
  onSelect: (slice: string) => void;
};

/** The head of a column: the name of the slice, its evidence and what starts it. */
export const SliceHeader = memo(function SliceHeader({ id, header, position, total: of, on, onSelect }: Props) {
  const { slice, x, y, width, height } = header;
  const appearance = evidenceAppearance[slice.evidence.state];
  const specs = slice.evidence.specifications.length;
  const details = [
    specs === 0 ? null : `${specs} ${specs === 1 ? 'spec' : 'specs'}`,
    appearance.label.toLowerCase(),
    slice.pattern,
    startLabel(slice),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the row of slices, which names the active one
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={on}
      aria-posinset={position}
      aria-setsize={of}
      onClick={() => onSelect(slice.name)}
      style={{ left: x, top: y + 2, width, height: height - 8 }}
      className={`tone-${appearance.tone} absolute flex cursor-pointer flex-col justify-center overflow-hidden rounded-md border border-l-4 border-l-[var(--tone)] px-2.5 text-left hover:bg-hover ${on ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'}`}
    >
      <span className="flex w-full items-center gap-1.5">
        <StateIcon appearance={appearance} size={13} />
        <span className="truncate font-semibold">{slice.name}</span>
      </span>
      <span className="truncate text-caption text-tone-text">{details.filter(Boolean).join(' · ')}</span>
    </div>
  );
});
