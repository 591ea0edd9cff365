import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { Layout } from 'signalbox/event-model-layout';
import { Ground } from './ground.tsx';
import { crosses } from './lines.ts';
import { Overview } from './overview.tsx';
import { SliceHead } from './slice-head.tsx';
import { useScrollTo, useSeen } from './use-seen.ts';

type Props = {
  name: string;
  layout: Layout;
  zoom: number;
  selected: string | null;
  onSelect: (slice: string) => void;
};

/** The board in the coordinates of the exported drawing; only what is near the window is drawn. */
export function Board({ name, layout, zoom, selected, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useSeen(scroller, zoom);
  const seen = useMemo(() => ({ from, to }), [from, to]);
  const scrollTo = useScrollTo(scroller, zoom);
  const at = layout.headers.findIndex(({ slice }) => slice.name === selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice or another drawing scrolls
  useEffect(() => {
    const head = layout.headers[at];
    if (head) scrollTo(head.x, head.x + head.width);
  }, [selected, layout]);
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = walked(at, event.key, layout.headers.length);
    const head = to === null ? undefined : layout.headers[to];
    if (!head) return;
    onSelect(head.slice.name);
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={scroller}
        role="listbox"
        aria-label={`Slices of ${name}`}
        aria-orientation="horizontal"
        aria-activedescendant={at >= 0 ? `slice-${at}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        className="min-h-0 flex-1 overflow-auto focus-visible:outline-offset-[-2px]"
      >
        <div className="relative" style={{ width: layout.width * zoom, height: layout.height * zoom }}>
          <div
            className="absolute top-0 left-0 origin-top-left"
            style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
          >
            <Ground layout={layout} seen={seen} detail={zoom >= 0.4} />
            {layout.headers.map((header, index) =>
              index === at || crosses(header.x, header.x + header.width, seen) ? (
                <SliceHead
                  key={header.slice.name}
                  id={`slice-${index}`}
                  header={header}
                  place={index + 1}
                  of={layout.headers.length}
                  on={index === at}
                  onSelect={onSelect}
                />
              ) : null,
            )}
          </div>
          <LaneNames layout={layout} zoom={zoom} />
        </div>
      </div>
      <Overview layout={layout} scroller={scroller} zoom={zoom} selected={selected} />
    </>
  );
}

/** Where a key leads in the row of slices; null where it leads nowhere. */
export function walked(at: number, key: string, count: number): number | null {
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[
    key
  ];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

/** The names of the lanes stay at hand however far one scrolls. */
function LaneNames({ layout, zoom }: { layout: Layout; zoom: number }) {
  const named = layout.rows.filter(({ label }) => label !== '');
  return (
    <div aria-hidden className="pointer-events-none sticky left-0 z-[1] w-fit">
      {named.map(({ lane, label, y, height }) => (
        <span
          key={`${lane}${y}`}
          className="absolute left-2 flex items-center whitespace-nowrap rounded bg-bg/85 px-1.5 py-0.5 font-semibold text-fg-2"
          style={{ top: (y + height / 2) * zoom - 11, fontSize: Math.max(9, Math.min(11.5, 14 * zoom)) }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}
