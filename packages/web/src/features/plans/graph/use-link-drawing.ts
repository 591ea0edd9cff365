import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useState } from 'react';
import type { NodeView } from '../../../live/wire.ts';
import type { Drawing } from './drawing.ts';
import type { CardPosition } from './layout.ts';
import type { Viewport } from './use-viewport.ts';
import { shapeAt } from './view-transform.ts';

/** Makes the second node wait for the first. */
export type LinkNodes = (needed: NodeView, waiting: NodeView) => void;

/** A line that is being drawn: from a card to the pointer, or to the card that it would end at. */
export type DrawnLine = { from: string; x: number; y: number; to: string | null };

type Options = {
  host: RefObject<HTMLElement | null>;
  port: Viewport;
  positions: ReadonlyMap<string, CardPosition>;
  shapes: Drawing['shapes'];
  link: LinkNodes | undefined;
};

/** Draws a dependency from card to card: by dragging from the edge of a card, or from a marked card by keys. */
export function useLinkDrawing({ host, port, positions, shapes, link }: Options) {
  const [line, setLine] = useState<DrawnLine | null>(null);
  const [marked, setMarked] = useState<string | null>(null);
  const nodeOf = (id: string | null) => {
    const shape = id === null ? undefined : shapes.get(id);
    return shape?.kind === 'node' ? shape.node : undefined;
  };
  const pointAt = (clientX: number, clientY: number) => {
    const box = host.current?.getBoundingClientRect();
    const [left, top] = [clientX - (box?.left ?? 0), clientY - (box?.top ?? 0)];
    const { x, y, k } = port.view();
    return { x: (left - x) / k, y: (top - y) / k, over: shapeAt(positions, port.view(), left, top) };
  };
  const connect = (from: string | null, to: string | null) => {
    const [needed, waiting] = [nodeOf(from), nodeOf(to)];
    if (link && needed && waiting && needed !== waiting) link(needed, waiting);
  };
  useEscape(line !== null, () => setLine(null));
  const drag = {
    onPointerDown: (event: ReactPointerEvent) => {
      const handle = event.target instanceof Element ? event.target.closest('[data-link-from]') : null;
      const from = handle?.getAttribute('data-link-from') ?? null;
      if (!link || from === null || event.button !== 0) return;
      event.preventDefault();
      host.current?.setPointerCapture(event.pointerId);
      const { x, y } = pointAt(event.clientX, event.clientY);
      setLine({ from, x, y, to: null });
    },
    onPointerMove: (event: ReactPointerEvent) => {
      if (!line) return;
      const { x, y, over } = pointAt(event.clientX, event.clientY);
      setLine({ ...line, x, y, to: over !== line.from && nodeOf(over) ? over : null });
    },
    onPointerUp: (event: ReactPointerEvent) => {
      if (!line) return;
      setLine(null);
      connect(line.from, pointAt(event.clientX, event.clientY).over);
    },
    onPointerCancel: () => setLine(null),
  };
  return {
    line,
    drag,
    /** The card where a line drawn with the keyboard begins. */
    marked: nodeOf(marked),
    mark: (id: string | null) => setMarked(link && nodeOf(id) ? id : null),
    connectMarked: (to: string) => {
      setMarked(null);
      connect(marked, to);
    },
  };
}

function useEscape(active: boolean, leave: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls only sets a state
  useEffect(() => {
    if (!active) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      leave();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, [active]);
}
