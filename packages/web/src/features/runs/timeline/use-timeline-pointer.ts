import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { axisHeight, rightEdge } from './frame.ts';
import { moved, type TimeSpan, zoomed } from './time-span.ts';

type PointerOptions = {
  canvas: RefObject<HTMLCanvasElement | null>;
  gutter: number;
  shown: TimeSpan;
  whole: TimeSpan;
  setSpan: (span: TimeSpan | null) => void;
  onPoint: (time: number, y: number, msPerPixel: number) => void;
  onClick: (time: number, y: number, msPerPixel: number) => void;
};

type Drag = { x: number; span: TimeSpan; brush: boolean; moved: boolean };

/** The wheel zooms, dragging moves, dragging along the axis selects a period. */
export function useTimelinePointer({ canvas, gutter, shown, whole, setSpan, onPoint, onClick }: PointerOptions) {
  const drag = useRef<Drag | null>(null);
  const [brush, setBrush] = useState<TimeSpan | null>(null);
  const msPerPixel = () =>
    (shown.to - shown.from) / Math.max(1, (canvas.current?.clientWidth ?? 0) - gutter - rightEdge);
  const timeAt = (offsetX: number) => shown.from + (offsetX - gutter) * msPerPixel();

  const wheel = useRef<(event: WheelEvent) => void>(() => undefined);
  wheel.current = (event) => {
    const { deltaX, deltaY } = event;
    if (Math.abs(deltaX) > Math.abs(deltaY)) setSpan(moved(shown, deltaX * msPerPixel(), whole));
    else setSpan(zoomed(shown, 1.0015 ** deltaY, timeAt(event.offsetX), whole));
    event.preventDefault();
  };
  // React's wheel listeners are passive, so the page would scroll as well.
  useEffect(() => {
    const element = canvas.current;
    const listen = (event: WheelEvent) => wheel.current(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [canvas]);

  const down = ({ nativeEvent, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    if (nativeEvent.button !== 0 || nativeEvent.offsetX < gutter) return;
    currentTarget.setPointerCapture(nativeEvent.pointerId);
    drag.current = { x: nativeEvent.offsetX, span: shown, brush: nativeEvent.offsetY < axisHeight, moved: false };
  };
  const move = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<HTMLCanvasElement>) => {
    const dragged = drag.current;
    if (!dragged) return onPoint(timeAt(offsetX), offsetY, msPerPixel());
    if (Math.abs(offsetX - dragged.x) > 3) dragged.moved = true;
    if (!dragged.moved) return;
    if (!dragged.brush) return setSpan(moved(dragged.span, (dragged.x - offsetX) * msPerPixel(), whole));
    const [from, to] = [timeAt(Math.min(dragged.x, offsetX)), timeAt(Math.max(dragged.x, offsetX))];
    setBrush({ from: Math.max(whole.from, from), to: Math.min(whole.to, to) });
  };
  const up = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<HTMLCanvasElement>) => {
    const dragged = drag.current;
    drag.current = null;
    if (brush) setSpan(brush);
    setBrush(null);
    if (dragged && !dragged.moved) onClick(timeAt(offsetX), offsetY, msPerPixel());
  };
  return { brush, listeners: { onPointerDown: down, onPointerMove: move, onPointerUp: up } };
}
