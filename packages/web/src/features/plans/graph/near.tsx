import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Edges } from './edges.tsx';
import type { Scene } from './paint.ts';
import { ShapeCard } from './shape-card.tsx';
import type { Viewport } from './use-viewport.ts';
import { type Box, isIn } from './view.ts';

/** Moves with every frame; what is on it is not drawn anew. */
export function Layer({ port, children }: { port: Viewport; children: ReactNode }) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = () => {
      const { x, y, k } = port.view();
      // Whole pixels: between them every tile would be blended anew, which costs more than all the rest.
      if (layer.current)
        layer.current.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) scale(${k})`;
    };
    follow();
    return port.listen(follow);
  }, [port]);
  return (
    <div ref={layer} role="presentation" className="absolute top-0 left-0 origin-top-left will-change-transform">
      {children}
    </div>
  );
}

type Props = Scene & { id: string; box: Box; crossing: ReadonlySet<string>; onSelect: (id: string) => void };

/** Cards and lines of the part in sight. */
export const Near = memo(function NearView(props: Props) {
  const { id, shapes, places, edges, crossing, box, near, selected, bright, onSelect } = props;
  return (
    <>
      <Edges
        edges={edges}
        places={places}
        box={box}
        near={near}
        selected={selected}
        bright={bright}
        crossing={crossing}
      />
      {[...shapes.values()].map((shape) => {
        const place = places.get(shape.id);
        if (!place || (!isIn(place, box) && shape.id !== selected)) return null;
        return (
          <ShapeCard
            key={shape.id}
            id={`${id}-${shape.id}`}
            shape={shape}
            place={place}
            selected={shape.id === selected}
            dim={near !== null && !near.has(shape.id)}
            onSelect={onSelect}
          />
        );
      })}
    </>
  );
});
