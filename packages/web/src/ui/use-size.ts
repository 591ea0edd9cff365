import { useEffect, useState } from 'react';

export function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const watcher = new ResizeObserver(() => setWidth(target.clientWidth));
    watcher.observe(target);
    return () => watcher.disconnect();
  }, [element]);
  return width;
}
