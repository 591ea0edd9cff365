import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { type Box, readable, type Size, seenCoarsely, type View, zoomAt } from './view.ts';

/** What of the drawing React needs to know: it changes only when something comes into sight. */
export type Sight = { box: Box; isFar: boolean; size: Size };

/** The view on the drawing. It moves outside React: what must follow every frame listens. */
export type Viewport = {
  view: () => View;
  size: () => Size;
  sight: () => Sight;
  /** Shown with the next frame. */
  show: (view: View) => void;
  /** Shown at once, before anything is painted. */
  jump: (view: View) => void;
  zoom: (factor: number) => void;
  listen: (listener: () => void) => () => void;
  /** Whether the last press of the pointer dragged nothing. */
  isStill: () => boolean;
  attach: (element: HTMLElement) => () => void;
};

export function createViewport(): Viewport {
  const listeners = new Set<() => void>();
  let view: View = { x: 0, y: 0, k: 1 };
  let size: Size = { width: 0, height: 0 };
  let sight = sightOf(view, size);
  let frame = 0;
  let pressed = view;
  const tell = () => {
    frame = 0;
    const next = sightOf(view, size);
    if (JSON.stringify(next) !== JSON.stringify(sight)) sight = next;
    for (const listener of listeners) listener();
  };
  const show = (next: View) => {
    view = next;
    if (frame === 0) frame = requestAnimationFrame(tell);
  };
  return {
    view: () => view,
    size: () => size,
    sight: () => sight,
    show,
    jump(next) {
      view = next;
      tell();
    },
    zoom: (factor) => show(zoomAt(view, factor, size.width / 2, size.height / 2)),
    isStill: () => pressed === view,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    attach(element) {
      const measure = () => {
        size = { width: element.clientWidth, height: element.clientHeight };
        tell();
      };
      measure();
      const watcher = new ResizeObserver(measure);
      watcher.observe(element);
      const press = () => {
        pressed = view;
      };
      element.addEventListener('pointerdown', press);
      const stop = follow(element, () => view, show);
      return () => {
        element.removeEventListener('pointerdown', press);
        watcher.disconnect();
        stop();
        cancelAnimationFrame(frame);
        frame = 0;
      };
    },
  };
}

const sightOf = (view: View, size: Size): Sight => ({ box: seenCoarsely(view, size), isFar: view.k < readable, size });

export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [port] = useState(createViewport);
  useLayoutEffect(() => (element.current ? port.attach(element.current) : undefined), [element, port]);
  return port;
}

export const useSight = (port: Viewport): Sight => useSyncExternalStore(port.listen, port.sight);

/** Pan by dragging, zoom by wheel, pan sideways by wheel and Shift. */
function follow(target: HTMLElement, view: () => View, show: (view: View) => void): () => void {
  let from: { x: number; y: number; view: View } | null = null;
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    if (event.shiftKey) return show({ ...view(), x: view().x - event.deltaY - event.deltaX });
    const box = target.getBoundingClientRect();
    show(zoomAt(view(), 1.0015 ** -event.deltaY, event.clientX - box.left, event.clientY - box.top));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as Element).closest('[role="option"], button')) return;
    from = { x: event.clientX, y: event.clientY, view: view() };
    target.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (from) show({ ...view(), x: from.view.x + event.clientX - from.x, y: from.view.y + event.clientY - from.y });
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
