import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Edges } from './edges.tsx';
import type { Scene } from './paint-graph.ts';
import { ShapeCard } from './shape-card.tsx';
import type { Viewport } from './use-viewport.ts';
import { type Box, isInBox } from './view-transform.ts';

/** A layer that pans and zooms with CSS, without rendering its children again. */
export function PannedLayer({ port, children }: { port: Viewport; children: ReactNode }) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = () => {
      const { x, y, k } = port.view();
      // Whole pixels: at fractions of a pixel the browser blends every tile again, which is slow.
      if (layer.current)
        layer.current.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) scale(${k})`;
    };
    follow();
    return port.subscribe(follow);
  }, [port]);
  return (
    <div ref={layer} role="presentation" className="absolute top-0 left-0 origin-top-left will-change-transform">
      {children}
    </div>
  );
}

type Props = Scene & {
  id: string;
  box: Box;
  crossing: ReadonlySet<string>;
  linkable: boolean;
  onSelect: (id: string) => void;
};

/** The visible cards and lines. */
export const NearView = memo(function NearView(props: Props) {
  const { id, shapes, positions, edges, crossing, box, near, selected, bright, linkable, onSelect } = props;
  return (
    <>
      <Edges
        edges={edges}
        positions={positions}
        box={box}
        near={near}
        selected={selected}
        bright={bright}
        crossing={crossing}
      />
      {[...shapes.values()].map((shape) => {
        const position = positions.get(shape.id);
        if (!position || (!isInBox(position, box) && shape.id !== selected)) return null;
        return (
          <ShapeCard
            key={shape.id}
            id={`${id}-${shape.id}`}
            shape={shape}
            position={position}
            selected={shape.id === selected}
            dim={near !== null && !near.has(shape.id)}
            linkable={linkable}
            onSelect={onSelect}
          />
        );
      })}
    </>
  );
});
