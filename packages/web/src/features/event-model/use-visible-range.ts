import { type RefObject, useCallback, useEffect, useState } from 'react';

export type VisibleRange = { from: number; to: number };

/** More of the board is drawn each time the view has scrolled by this many screen pixels. */
const stride = 400;

/** Calls back on every scroll and every change of size, in screen pixels. */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  onScroll: (left: number, width: number) => void,
  dependency: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `dependency` is what `onScroll` depends on
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Reading the width on every scroll would force a layout each time.
    let width = element.clientWidth;
    const report = () => onScroll(element.scrollLeft, width);
    const watcher = new ResizeObserver(() => {
      width = element.clientWidth;
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

/** The part of a drawing near the window, in the drawing's coordinates. It changes in steps of `stride`. */
export function useVisibleRange(scroller: RefObject<HTMLElement | null>, zoom: number): VisibleRange {
  const [pixels, setPixels] = useState<VisibleRange>({ from: -2 * stride, to: 5 * stride });
  const onScroll = (left: number, width: number) => {
    const from = Math.floor(left / stride - 2) * stride;
    const to = Math.ceil((left + width) / stride + 2) * stride;
    setPixels((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useScroll(scroller, onScroll, null);
  return { from: pixels.from / zoom, to: pixels.to / zoom };
}

/** Scrolls a range of the drawing into view. */
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
