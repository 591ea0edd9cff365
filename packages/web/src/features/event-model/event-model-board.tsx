import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { Layout } from 'signalbox/browser/event-model-layout';
import { BoardDrawing } from './board-drawing.tsx';
import { overlaps } from './lines.ts';
import { Overview } from './overview.tsx';
import { SliceHeader } from './slice-header.tsx';
import { useScrollTo, useVisibleRange } from './use-visible-range.ts';

type Props = {
  name: string;
  layout: Layout;
  zoom: number;
  selected: string | null;
  onSelect: (slice: string) => void;
};

/** The board in the coordinates of the exported drawing; only what is near the window is drawn. */
export function EventModelBoard({ name, layout, zoom, selected, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useVisibleRange(scroller, zoom);
  const visible = useMemo(() => ({ from, to }), [from, to]);
  const scrollTo = useScrollTo(scroller, zoom);
  const selectedIndex = layout.headers.findIndex(({ slice }) => slice.name === selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice or another drawing scrolls
  useEffect(() => {
    const header = layout.headers[selectedIndex];
    if (header) scrollTo(header.x, header.x + header.width);
  }, [selected, layout]);
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = nextSliceIndex(selectedIndex, event.key, layout.headers.length);
    const header = to === null ? undefined : layout.headers[to];
    if (!header) return;
    onSelect(header.slice.name);
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={scroller}
        role="listbox"
        aria-label={`Slices of ${name}`}
        aria-orientation="horizontal"
        aria-activedescendant={selectedIndex >= 0 ? `slice-${selectedIndex}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        className="min-h-0 flex-1 overflow-auto focus-visible:outline-offset-[-2px]"
      >
        <div className="relative" style={{ width: layout.width * zoom, height: layout.height * zoom }}>
          <div
            className="absolute top-0 left-0 origin-top-left"
            style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
          >
            <BoardDrawing layout={layout} visible={visible} detail={zoom >= 0.4} />
            {layout.headers.map((header, index) =>
              index === selectedIndex || overlaps(header.x, header.x + header.width, visible) ? (
                <SliceHeader
                  key={header.slice.name}
                  id={`slice-${index}`}
                  header={header}
                  position={index + 1}
                  total={layout.headers.length}
                  on={index === selectedIndex}
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

/** The index of the slice that a key moves to; null for other keys. */
export function nextSliceIndex(at: number, key: string, count: number): number | null {
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[
    key
  ];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

/** The names of the lanes stay visible at every scroll position. */
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
