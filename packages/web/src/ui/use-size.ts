import { type RefObject, useLayoutEffect, useState } from 'react';

/** The inner size of an element, in pixels; zero before it is measured. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => setSize({ width: target.clientWidth, height: target.clientHeight });
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(target);
    return () => watcher.disconnect();
  }, [element]);
  return size;
}
