import { memo, useMemo } from 'react';
import { type Layout, layOut, paints, startWord } from 'signalbox/event-model-layout';
import type { EventModelView, SliceView } from '../../live/wire.ts';
import { StateIcon } from '../../ui/tone.tsx';
import { evidenceLook } from './look.ts';

type Props = {
  model: EventModelView;
  zoom: number;
  selected: string | null;
  onSelect: (slice: string) => void;
};

/** The board in the coordinates of the exported drawing; every slice is a button, so that keys reach it. */
export function Board({ model, zoom, selected, onSelect }: Props) {
  const layout = useMemo(() => layOut(model), [model]);
  return (
    <section
      aria-label={`Event model ${model.name}`}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto focus-visible:outline-offset-[-2px]"
    >
      <div style={{ width: layout.width * zoom, height: layout.height * zoom }}>
        <div
          className="relative origin-top-left"
          style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
        >
          <Ground layout={layout} />
          {layout.headers.map(({ slice, x, y, width, height }) => (
            <Head
              key={slice.name}
              slice={slice}
              box={{ left: x, top: y + 2, width, height: height - 8 }}
              on={slice.name === selected}
              onSelect={onSelect}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

type HeadProps = {
  slice: SliceView;
  box: { left: number; top: number; width: number; height: number };
  on: boolean;
  onSelect: (slice: string) => void;
};

const Head = memo(function SliceHead({ slice, box, on, onSelect }: HeadProps) {
  const look = evidenceLook[slice.evidence.state];
  const specs = slice.evidence.specifications.length;
  const start = startWord(slice);
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onSelect(slice.name)}
      style={box}
      className={`tone-${look.tone} absolute flex flex-col justify-center overflow-hidden rounded-md border border-l-4 border-l-[var(--tone)] px-2.5 text-left hover:bg-hover ${on ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'}`}
    >
      <span className="flex w-full items-center gap-1.5">
        <StateIcon look={look} size={13} />
        <span className="truncate font-semibold">{slice.name}</span>
      </span>
      <span className="truncate text-[11px] text-tone-text">
        {[
          specs === 0 ? null : `${specs} ${specs === 1 ? 'spec' : 'specs'}`,
          look.label.toLowerCase(),
          slice.pattern,
          start,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </button>
  );
});

const lineHeight = 16.25;

/** Lanes, chapters, lines and stickies; the stickies keep the published palette in both themes. */
const Ground = memo(function BoardGround({ layout }: { layout: Layout }) {
  return (
    <svg width={layout.width} height={layout.height} className="absolute inset-0" role="img" aria-label="Drawing">
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8Z" className="fill-fg-3" />
        </marker>
      </defs>
      {layout.rows.map((row, index) => (
        <g key={`${row.lane}${row.y}`}>
          <rect
            x={12}
            y={row.y - 8}
            width={layout.width - 24}
            height={row.height + 16}
            rx={6}
            className={index % 2 === 0 ? 'fill-surface' : 'fill-transparent'}
          />
          <text x={20} y={row.y + 20} className="fill-fg-3 font-semibold text-[12px]">
            {row.label}
          </text>
        </g>
      ))}
      {layout.bands.map(({ chapter, x, y, width }) => (
        <g key={`${chapter}${x}`}>
          <rect x={x} y={y} width={width} height={22} rx={5} className="fill-raised stroke-line" />
          <text x={x + 10} y={y + 15} className="fill-fg-2 font-semibold text-[12px]">
            {chapter}
          </text>
        </g>
      ))}
      {layout.lines.map(({ kind, points }, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name; the layout is drawn whole
          key={index}
          d={points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')}
          fill="none"
          strokeLinejoin="round"
          className={kind === 'edge' ? 'stroke-fg-3' : 'stroke-accent'}
          strokeWidth={1.4}
          strokeDasharray={kind === 'edge' ? undefined : '5 3'}
          markerEnd="url(#tip)"
        />
      ))}
      {layout.cards.map((card) => {
        const { fill, ink, stroke, dash } = paints[card.kind];
        const first = card.y + card.height / 2 - ((card.lines.length - 1) * lineHeight) / 2 + 4.5;
        return (
          <g key={card.id}>
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
            {card.lines.map((line, index) => (
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
      })}
    </svg>
  );
});
