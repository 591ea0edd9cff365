import type { NodeView } from '../../../live/wire.ts';
import { Kbd } from '../../../ui/page.tsx';
import { type CardPosition, card } from './layout.ts';
import type { DrawnLine } from './use-link-drawing.ts';
import { curve } from './view-transform.ts';

/** The line while it is being drawn, and a frame around the card where it would end. */
export function LineBeingDrawn({ line, positions }: { line: DrawnLine; positions: ReadonlyMap<string, CardPosition> }) {
  const from = positions.get(line.from);
  const to = line.to === null ? undefined : positions.get(line.to);
  if (!from) return null;
  const end = to ?? { x: line.x, y: line.y - card.height / 2, layer: 0 };
  return (
    <svg className="pointer-events-none absolute top-0 left-0 z-20 overflow-visible" width={1} height={1} aria-hidden>
      <path d={curve(from, end)} fill="none" className="stroke-accent" strokeWidth={2} strokeDasharray="5 4" />
      {to && (
        <rect
          x={to.x - 3}
          y={to.y - 3}
          width={card.width + 6}
          height={card.height + 6}
          rx={9}
          fill="none"
          className="stroke-accent"
          strokeWidth={2}
        />
      )}
    </svg>
  );
}

/** Explains the keys while a line is drawn with them. */
export function LineByKeys({ from }: { from: NodeView | undefined }) {
  return (
    <p
      role="status"
      className={`-translate-x-1/2 absolute top-12 left-1/2 rounded-md border border-accent bg-raised px-3 py-1.5 shadow-pop ${from ? '' : 'hidden'}`}
    >
      {from && (
        <>
          What waits for <b className="font-semibold">{from.title}</b>? Walk to it, <Kbd>Enter</Kbd> connects,{' '}
          <Kbd>Esc</Kbd> cancels.
        </>
      )}
    </p>
  );
}
