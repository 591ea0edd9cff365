import { memo } from 'react';
import type { Place } from './layout.ts';
import { type Drawn, edgeKey } from './model.ts';
import { type Box, curve, isIn } from './view.ts';

type Props = {
  drawn: Drawn;
  places: ReadonlyMap<string, Place>;
  box: Box;
  near: ReadonlySet<string> | null;
  selected: string | null;
  critical: boolean;
};

/** Lines of the near view; those of the chosen card stand out, the critical path is white and thicker. */
export const Edges = memo(function GraphEdges({ drawn, places, box, near, selected, critical }: Props) {
  return (
    <svg className="pointer-events-none absolute top-0 left-0 overflow-visible" width={1} height={1} aria-hidden="true">
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
      {drawn.edges.map(([from, to]) => {
        const [a, b] = [places.get(from), places.get(to)];
        if (!a || !b || (!isIn(a, box) && !isIn(b, box))) return null;
        const bright = critical && drawn.critical.has(edgeKey(from, to));
        const own = from === selected || to === selected;
        const name = bright ? 'fg' : own ? 'accent' : 'line';
        const dim = near !== null && !(near.has(from) && near.has(to));
        return (
          <path
            key={edgeKey(from, to)}
            d={curve(a, b)}
            fill="none"
            className={strokes[name]}
            strokeWidth={bright ? 2 : 1.3}
            strokeDasharray={drawn.shapes.get(from)?.kind === 'other' ? '4 3' : undefined}
            opacity={dim ? 0.15 : 1}
            markerEnd={`url(#arrow-${name})`}
          />
        );
      })}
    </svg>
  );
});

const fills = { line: 'fill-line-strong', accent: 'fill-accent', fg: 'fill-fg' };
const strokes = { line: 'stroke-line-strong', accent: 'stroke-accent', fg: 'stroke-fg' };
