import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { axisHeight, rightEdge } from './paint.ts';
import { moved, type Span, zoomed } from './span.ts';

type Hands = {
  canvas: RefObject<HTMLCanvasElement | null>;
  gutter: number;
  shown: Span;
  whole: Span;
  setSpan: (span: Span | null) => void;
  onPoint: (time: number, y: number, msPerPixel: number) => void;
  onClick: (time: number, y: number, msPerPixel: number) => void;
};

type Drag = { x: number; span: Span; brush: boolean; moved: boolean };

/** The wheel zooms, a drag moves, a drag along the axis chooses a stretch of time. */
export function useHands({ canvas, gutter, shown, whole, setSpan, onPoint, onClick }: Hands) {
  const drag = useRef<Drag | null>(null);
  const [brush, setBrush] = useState<Span | null>(null);
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
  // React listens passively, and then the page would scroll as well.
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
    const held = drag.current;
    if (!held) return onPoint(timeAt(offsetX), offsetY, msPerPixel());
    if (Math.abs(offsetX - held.x) > 3) held.moved = true;
    if (!held.moved) return;
    if (!held.brush) return setSpan(moved(held.span, (held.x - offsetX) * msPerPixel(), whole));
    const [from, to] = [timeAt(Math.min(held.x, offsetX)), timeAt(Math.max(held.x, offsetX))];
    setBrush({ from: Math.max(whole.from, from), to: Math.min(whole.to, to) });
  };
  const up = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<HTMLCanvasElement>) => {
    const held = drag.current;
    drag.current = null;
    if (brush) setSpan(brush);
    setBrush(null);
    if (held && !held.moved) onClick(timeAt(offsetX), offsetY, msPerPixel());
  };
  return { brush, listeners: { onPointerDown: down, onPointerMove: move, onPointerUp: up } };
}
