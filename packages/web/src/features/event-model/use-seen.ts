import { type RefObject, useCallback, useEffect, useState } from 'react';

export type Seen = { from: number; to: number };

/** Moved by at least this much, in pixels of the screen, before more is drawn. */
const stride = 400;

/** Hears of every scroll and every change of size; in pixels of the screen. */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  hear: (left: number, wide: number) => void,
  again: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is what `hear` depends on
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Asked for at every scroll, the width would have the page laid out every time.
    let wide = element.clientWidth;
    const look = () => hear(element.scrollLeft, wide);
    const watcher = new ResizeObserver(() => {
      wide = element.clientWidth;
      look();
    });
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, again]);
}

/** What part of a wide drawing lies near the window, in its own coordinates; it moves in strides. */
export function useSeen(scroller: RefObject<HTMLElement | null>, zoom: number): Seen {
  const [pixels, setPixels] = useState<Seen>({ from: -2 * stride, to: 5 * stride });
  const hear = (left: number, wide: number) => {
    const from = Math.floor(left / stride - 2) * stride;
    const to = Math.ceil((left + wide) / stride + 2) * stride;
    setPixels((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useScroll(scroller, hear, null);
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
