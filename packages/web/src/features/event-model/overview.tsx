import { memo, type PointerEvent, type RefObject, useRef, useState } from 'react';
import type { Layout } from 'signalbox/browser/event-model-layout';
import { evidenceAppearance } from './evidence-appearance.ts';
import { useScroll } from './use-visible-range.ts';

type Props = { layout: Layout; scroller: RefObject<HTMLElement | null>; zoom: number; selected: string | null };

/** The whole model as a strip: a tick per slice in the colour of its evidence, and a frame around the visible part. */
export function Overview({ layout, scroller, zoom, selected }: Props) {
  const [viewWidth, setViewWidth] = useState(0);
  const frame = useRef<SVGRectElement>(null);
  const whole = layout.width * zoom;
  // The frame follows a scroll without React, because nothing else in the overview changes.
  useScroll(
    scroller,
    (left, width) => {
      setViewWidth(width);
      frame.current?.setAttribute('x', String(left / zoom));
      frame.current?.setAttribute('width', String(width / zoom));
    },
    `${zoom} ${layout.width} ${viewWidth >= whole}`,
  );
  const go = ({ currentTarget, clientX, buttons }: PointerEvent) => {
    if (buttons === 0 || !scroller.current) return;
    const box = currentTarget.getBoundingClientRect();
    scroller.current.scrollLeft = ((clientX - box.left) / box.width) * whole - viewWidth / 2;
  };
  if (viewWidth === 0 || viewWidth >= whole) return null;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${layout.width} 30`}
      preserveAspectRatio="none"
      onPointerDown={go}
      onPointerMove={go}
      className="tone-bar h-[30px] w-full shrink-0 cursor-pointer border-line border-t bg-surface"
    >
      <Ticks layout={layout} selected={selected} />
      <rect
        ref={frame}
        y={1}
        height={28}
        vectorEffect="non-scaling-stroke"
        strokeWidth={1.5}
        className="fill-accent/15 stroke-accent"
      />
    </svg>
  );
}

const Ticks = memo(function SliceTicks({ layout, selected }: Pick<Props, 'layout' | 'selected'>) {
  return layout.headers.map(({ slice, x, width }) => (
    <rect
      key={slice.name}
      x={x}
      y={slice.name === selected ? 3 : 8}
      width={width}
      height={slice.name === selected ? 24 : 14}
      className={`tone-${evidenceAppearance[slice.evidence.state].tone} fill-tone`}
    />
  ));
});
