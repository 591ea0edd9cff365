import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { type Box, coarseVisibleBox, readableZoom, type Size, type ViewTransform, zoomAt } from './view-transform.ts';

/** The part of the viewport that React renders from; it changes only when new cards become visible. */
export type VisibleArea = { box: Box; isFar: boolean; size: Size };

/** Pan and zoom of the drawing, kept outside React. Components that follow every frame subscribe. */
export type Viewport = {
  view: () => ViewTransform;
  size: () => Size;
  visibleArea: () => VisibleArea;
  /** Shown with the next frame. */
  show: (view: ViewTransform) => void;
  /** Shown at once, before anything is painted. */
  jump: (view: ViewTransform) => void;
  zoom: (factor: number) => void;
  subscribe: (listener: () => void) => () => void;
  /** Whether the last pointer press did not drag the view. */
  isClick: () => boolean;
  attach: (element: HTMLElement) => () => void;
};

export function createViewport(): Viewport {
  const listeners = new Set<() => void>();
  let view: ViewTransform = { x: 0, y: 0, k: 1 };
  let size: Size = { width: 0, height: 0 };
  let visibleArea = visibleAreaOf(view, size);
  let frame = 0;
  let pressed = view;
  const notify = () => {
    frame = 0;
    const next = visibleAreaOf(view, size);
    if (JSON.stringify(next) !== JSON.stringify(visibleArea)) visibleArea = next;
    for (const listener of listeners) listener();
  };
  const show = (next: ViewTransform) => {
    view = next;
    if (frame === 0) frame = requestAnimationFrame(notify);
  };
  return {
    view: () => view,
    size: () => size,
    visibleArea: () => visibleArea,
    show,
    jump(next) {
      view = next;
      notify();
    },
    zoom: (factor) => show(zoomAt(view, factor, size.width / 2, size.height / 2)),
    isClick: () => pressed === view,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    attach(element) {
      const measure = () => {
        size = { width: element.clientWidth, height: element.clientHeight };
        notify();
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

const visibleAreaOf = (view: ViewTransform, size: Size): VisibleArea => ({
  box: coarseVisibleBox(view, size),
  isFar: view.k < readableZoom,
  size,
});

export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [port] = useState(createViewport);
  useLayoutEffect(() => (element.current ? port.attach(element.current) : undefined), [element, port]);
  return port;
}

export const useVisibleArea = (port: Viewport): VisibleArea => useSyncExternalStore(port.subscribe, port.visibleArea);

/** Pan by dragging, zoom by wheel, pan sideways by wheel and Shift. */
function follow(target: HTMLElement, view: () => ViewTransform, show: (view: ViewTransform) => void): () => void {
  let from: { x: number; y: number; view: ViewTransform } | null = null;
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    if (event.shiftKey) return show({ ...view(), x: view().x - event.deltaY - event.deltaX });
    const box = target.getBoundingClientRect();
    show(zoomAt(view(), 1.0015 ** -event.deltaY, event.clientX - box.left, event.clientY - box.top));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    if (event.target.closest('[role="option"], button')) return;
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
