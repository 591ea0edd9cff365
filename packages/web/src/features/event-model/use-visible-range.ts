import { type RefObject, useCallback, useEffect, useState } from 'react';

export type VisibleRange = { from: number; to: number };

/** More is drawn each time the view has scrolled by this many screen pixels. */
const stride = 400;

/** Calls back on every scroll and every change of size, in screen pixels. */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  onScroll: (left: number, wide: number) => void,
  dependency: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is what `hear` depends on
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Reading the width on every scroll would force a layout each time.
    let wide = element.clientWidth;
    const report = () => onScroll(element.scrollLeft, wide);
    const watcher = new ResizeObserver(() => {
      wide = element.clientWidth;
      report();
    });
    watcher.observe(element);
    element.addEventListener('scroll', report, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', report);
    };
  }, [scroller, dependency]);
}

/** The part of a wide drawing near the window, in the drawing's coordinates; it changes in steps of `stride`. */
export function useVisibleRange(scroller: RefObject<HTMLElement | null>, zoom: number): VisibleRange {
  const [pixels, setPixels] = useState<VisibleRange>({ from: -2 * stride, to: 5 * stride });
  const onScroll = (left: number, wide: number) => {
    const from = Math.floor(left / stride - 2) * stride;
    const to = Math.ceil((left + wide) / stride + 2) * stride;
    setPixels((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useScroll(scroller, onScroll, null);
  return { from: pixels.from / zoom, to: pixels.to / zoom };
}

/** Brings a stretch of the drawing into the window, if it is not there. */
export function useScrollTo(scroller: RefObject<HTMLElement | null>, zoom: number) {
  return useCallback(
    (from: number, to: number) => {
      const element = scroller.current;
      if (!element) return;
      const [left, right] = [from * zoom - 170, to * zoom + 24];
      if (left >= element.scrollLeft && right <= element.scrollLeft + element.clientWidth) return;
      element.scrollLeft = Math.max(0, (left + right - element.clientWidth) / 2);
    },
    [scroller, zoom],
  );
}
