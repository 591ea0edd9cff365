import { memo } from 'react';
import { edgeKey } from './drawing.ts';
import type { CardPosition } from './layout.ts';
import { type Box, curve, isInBox } from './view-transform.ts';

type Props = {
  edges: readonly (readonly [from: string, to: string])[];
  positions: ReadonlyMap<string, CardPosition>;
  box: Box;
  near: ReadonlySet<string> | null;
  selected: string | null;
  /** Edges that stand out. */
  bright: ReadonlySet<string>;
  /** Edges from one plan to another. */
  crossing: ReadonlySet<string>;
};

/** Lines of the near view. Lines of the selected card are highlighted; the critical path is white and thicker. */
export const Edges = memo(function GraphEdges({ edges, positions, box, near, selected, bright, crossing }: Props) {
  const { left, top, right, bottom } = box;
  return (
    // Lines are clipped to the visible box: a longer line would enlarge the layer that moves with every frame.
    <svg
      className="pointer-events-none absolute max-w-none"
      style={{ left, top, width: right - left, height: bottom - top }}
      viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
      aria-hidden="true"
    >
      <defs>
        {(['line', 'accent', 'fg'] as const).map((name) => (
          <marker
            key={name}
            id={`arrow-${name}`}
            viewBox="0 0 8 8"
            refX="5"
            refY="4"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 .5L7 4L0 7.500Z" className={fills[name]} />
          </marker>
        ))}
      </defs>
      {edges.map(([from, to]) => {
        const [a, b] = [positions.get(from), positions.get(to)];
        if (!a || !b || (!isInBox(a, box) && !isInBox(b, box))) return null;
        const key = edgeKey(from, to);
        const isBright = bright.has(key);
        const own = from === selected || to === selected;
        const name = isBright ? 'fg' : own ? 'accent' : 'line';
        const dim = near !== null && !(near.has(from) && near.has(to));
        return (
          <path
            key={key}
            d={curve(a, b)}
            fill="none"
            className={strokes[name]}
            strokeWidth={isBright ? 2 : 1.3}
            strokeDasharray={crossing.has(key) ? '4 3' : undefined}
            opacity={dim ? 0.15 : 1}
            markerEnd={`url(#arrow-${name})`}
          />
        );
      })}
    </svg>
  );
});

const fills = { line: 'fill-edge', accent: 'fill-accent', fg: 'fill-fg' };
const strokes = { line: 'stroke-edge', accent: 'stroke-accent', fg: 'stroke-fg' };
