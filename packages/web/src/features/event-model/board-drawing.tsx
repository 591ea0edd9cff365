import { memo, useMemo } from 'react';
import { type Layout, paints } from 'signalbox/browser/event-model-layout';
import { clippedPath, type DrawnLine, drawnLines, overlaps } from './lines.ts';
import type { VisibleRange } from './use-visible-range.ts';

const lineHeight = 16.25;

type DrawingProps = {
  layout: Layout;
  visible: VisibleRange;
  /** Zoomed in enough to read text. */
  detail: boolean;
};

/** Lanes, chapters, lines and stickies; the stickies keep the published palette in both themes. */
export const BoardDrawing = memo(function BoardDrawing({ layout, visible, detail }: DrawingProps) {
  const lines = useMemo(() => drawnLines(layout.lines), [layout]);
  const [left, right] = [Math.max(0, visible.from), Math.min(layout.width, visible.to)];
  const visibleLines = lines.filter(({ from, to }) => overlaps(from, to, visible));
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
        .filter(({ x, width }) => overlaps(x, x + width, visible))
        .map(({ chapter, x, y, width }) => (
          <g key={`${chapter}${x}`}>
            <rect x={x} y={y} width={width} height={22} rx={5} className="fill-raised stroke-line" />
            {labelPositions(x, width).map((at) => (
              <text key={at} x={at + 10} y={y + 15} className="fill-fg-2 font-semibold text-note">
                {chapter}
              </text>
            ))}
          </g>
        ))}
      <Lines lines={visibleLines} kind="edge" visible={visible} detail={detail} />
      <Lines lines={visibleLines} kind="link" visible={visible} detail={detail} />
      {layout.cards
        .filter(({ x, width }) => overlaps(x, x + width, visible))
        .map((card) => (
          <Sticky key={card.id} card={card} detail={detail} />
        ))}
    </svg>
  );
});

/** A long chapter repeats its name, so that it is visible at every scroll position. */
const labelPositions = (x: number, width: number): number[] =>
  Array.from({ length: Math.max(1, Math.floor(width / 900)) }, (_, index) => x + index * 900);

const maxDashedLines = 120;

type LinesProps = { lines: readonly DrawnLine[]; kind: DrawnLine['kind']; visible: VisibleRange; detail: boolean };

/** All lines of a kind are one path and their arrowheads another, because a thousand elements would scroll slowly. */
function Lines({ lines, kind, visible, detail }: LinesProps) {
  const own = lines.filter((line) => line.kind === kind);
  // Dashes distinguish links from edges; with hundreds of lines they are too slow to draw.
  const dashed = detail && own.length <= maxDashedLines;
  return (
    <>
      <path
        d={own.map(({ points }) => clippedPath(points, visible)).join('')}
        fill="none"
        strokeLinejoin="round"
        className={kind === 'edge' ? 'stroke-fg-3' : 'stroke-accent'}
        strokeWidth={1.4}
        strokeDasharray={kind === 'link' && dashed ? '5 3' : undefined}
        strokeOpacity={kind === 'link' && !dashed ? 0.6 : undefined}
      />
      <path
        d={own.map(({ arrowHead: tip }) => tip).join('')}
        className={kind === 'edge' ? 'fill-fg-3' : 'fill-accent'}
      />
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
            className="font-medium text-body"
          >
            {line}
          </text>
        ))}
    </g>
  );
});
