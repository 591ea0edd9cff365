import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Size, type View, zoomAt } from './view.ts';

export type Viewport = {
  view: View;
  size: Size;
  /** Set at once, without waiting for a frame. */
  show: (view: View) => void;
  zoom: (factor: number) => void;
};

/** Pan by dragging, zoom by wheel; at most one new picture a frame. */
export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [view, setView] = useState<View>({ x: 0, y: 0, k: 1 });
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const latest = useRef(view);
  const frame = useRef(0);
  const show = useCallback((next: View) => {
    latest.current = next;
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      setView(latest.current);
    });
  }, []);

  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const watcher = new ResizeObserver(() => setSize({ width: target.clientWidth, height: target.clientHeight }));
    watcher.observe(target);
    const stop = listen(target, latest, show);
    return () => {
      watcher.disconnect();
      stop();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [element, show]);

  const zoom = useCallback(
    (factor: number) => {
      const target = element.current;
      if (target) show(zoomAt(latest.current, factor, target.clientWidth / 2, target.clientHeight / 2));
    },
    [element, show],
  );
  return { view, size, show, zoom };
}

function listen(target: HTMLElement, latest: { current: View }, show: (view: View) => void): () => void {
  let from: { x: number; y: number; view: View } | null = null;
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const box = target.getBoundingClientRect();
    if (event.shiftKey) show({ ...latest.current, x: latest.current.x - event.deltaY - event.deltaX });
    else show(zoomAt(latest.current, 1.0015 ** -event.deltaY, event.clientX - box.left, event.clientY - box.top));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as Element).closest('[role="option"], button')) return;
    from = { x: event.clientX, y: event.clientY, view: latest.current };
    target.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (from)
      show({ ...latest.current, x: from.view.x + event.clientX - from.x, y: from.view.y + event.clientY - from.y });
  };
  const up = () => {
    from = null;
  };
  target.addEventListener('wheel', wheel, { passive: false });
  target.addEventListener('pointerdown', down);
  target.addEventListener('pointermove', move);
  target.addEventListener('pointerup', up);
  return () => {
    target.removeEventListener('wheel', wheel);
    target.removeEventListener('pointerdown', down);
    target.removeEventListener('pointermove', move);
    target.removeEventListener('pointerup', up);
  };
}
