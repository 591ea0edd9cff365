import { memo, useMemo } from 'react';
import { type Layout, paints } from 'signalbox/event-model-layout';
import { clipped, crosses, type Stretch, stretchesOf } from './lines.ts';
import type { Seen } from './use-seen.ts';

const lineHeight = 16.25;

type Props = { layout: Layout; seen: Seen /** Near enough that letters can be read. */; detail: boolean };

/** Lanes, chapters, lines and stickies; the stickies keep the published palette in both themes. */
export const Ground = memo(function BoardGround({ layout, seen, detail }: Props) {
  const stretches = useMemo(() => stretchesOf(layout.lines), [layout]);
  const [left, right] = [Math.max(0, seen.from), Math.min(layout.width, seen.to)];
  const near = stretches.filter(({ from, to }) => crosses(from, to, seen));
  return (
    <svg
      aria-hidden
      width={right - left}
      height={layout.height}
      viewBox={`${left} 0 ${right - left} ${layout.height}`}
      className="absolute top-0"
      style={{ left }}
    >
      {layout.rows.map((row, index) => (
        <rect
          key={`${row.lane}${row.y}`}
          x={Math.max(12, left)}
          y={row.y - 8}
          width={Math.min(layout.width - 12, right) - Math.max(12, left)}
          height={row.height + 16}
          rx={6}
          className={index % 2 === 0 ? 'fill-surface' : 'fill-transparent'}
        />
      ))}
      {layout.bands
        .filter(({ x, width }) => crosses(x, x + width, seen))
        .map(({ chapter, x, y, width }) => (
          <g key={`${chapter}${x}`}>
            <rect x={x} y={y} width={width} height={22} rx={5} className="fill-raised stroke-line" />
            {repeated(x, width).map((at) => (
              <text key={at} x={at + 10} y={y + 15} className="fill-fg-2 font-semibold text-[12px]">
                {chapter}
              </text>
            ))}
          </g>
        ))}
      <Lines stretches={near} kind="edge" seen={seen} detail={detail} />
      <Lines stretches={near} kind="link" seen={seen} detail={detail} />
      {layout.cards
        .filter(({ x, width }) => crosses(x, x + width, seen))
        .map((card) => (
          <Sticky key={card.id} card={card} detail={detail} />
        ))}
    </svg>
  );
});

/** A long chapter says its name again and again, so that it is read wherever one scrolled to. */
const repeated = (x: number, width: number): number[] =>
  Array.from({ length: Math.max(1, Math.floor(width / 900)) }, (_, index) => x + index * 900);

const dashedAtMost = 120;

type LinesProps = { stretches: readonly Stretch[]; kind: Stretch['kind']; seen: Seen; detail: boolean };

/** All lines of a kind are one path and their tips another: a thousand elements would scroll worse. */
function Lines({ stretches, kind, seen, detail }: LinesProps) {
  const own = stretches.filter((stretch) => stretch.kind === kind);
  // Dashes tell a link from an edge where there are few; among hundreds they only cost time.
  const dashed = detail && own.length <= dashedAtMost;
  return (
    <>
      <path
        d={own.map(({ points }) => clipped(points, seen)).join('')}
        fill="none"
        strokeLinejoin="round"
        className={kind === 'edge' ? 'stroke-fg-3' : 'stroke-accent'}
        strokeWidth={1.4}
        strokeDasharray={kind === 'link' && dashed ? '5 3' : undefined}
        strokeOpacity={kind === 'link' && !dashed ? 0.6 : undefined}
      />
      <path d={own.map(({ tip }) => tip).join('')} className={kind === 'edge' ? 'fill-fg-3' : 'fill-accent'} />
    </>
  );
}

const Sticky = memo(function StickyNote({ card, detail }: { card: Layout['cards'][number]; detail: boolean }) {
  const { fill, ink, stroke, dash } = paints[card.kind];
  const first = card.y + card.height / 2 - ((card.lines.length - 1) * lineHeight) / 2 + 4.5;
  return (
    <g>
      <title>{`${card.kind}: ${card.label}`}</title>
      <rect
        x={card.x}
        y={card.y}
        width={card.width}
        height={card.height}
        rx={5}
        fill={fill}
        stroke={stroke}
        strokeWidth={2}
        strokeDasharray={dash}
      />
      {card.observed && <path d={`M${card.x + card.width} ${card.y}h-14l14 14z`} fill={ink} />}
      {detail &&
        card.lines.map((line, index) => (
          <text
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one label
            key={index}
            x={card.x + card.width / 2}
            y={first + index * lineHeight}
            textAnchor="middle"
            fill={ink}
            className="font-medium text-[13px]"
          >
            {line}
          </text>
        ))}
    </g>
  );
});
