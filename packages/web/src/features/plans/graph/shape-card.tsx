import { ExternalLink, Layers, Zap } from 'lucide-react';
import { memo } from 'react';
import { type Appearance, appearances, StateLabel } from '../../../ui/appearance.tsx';
import { StateBar } from '../../../ui/state-bar.tsx';
import { Unbound } from '../../nodes/unbound.tsx';
import type { Shape } from './drawing.ts';
import { type CardPosition, card } from './layout.ts';

type Props = {
  id: string;
  shape: Shape;
  position: CardPosition;
  selected: boolean;
  dim: boolean;
  /** Whether a line can be drawn from its right edge to a node that waits for it. */
  linkable: boolean;
  onSelect: (id: string) => void;
};

/** One card of the near view. */
export const ShapeCard = memo(function GraphCard({ id, shape, position, selected, dim, linkable, onSelect }: Props) {
  const { tone } = shape.appearance;
  const quiet = tone === 'blocked' || shape.kind !== 'node';
  const body =
    shape.kind === 'other'
      ? 'rounded-full border-line-strong border-dashed bg-bg'
      : shape.kind === 'group'
        ? 'rounded-[7px] border-line-strong bg-raised shadow-[3px_3px_0_-1px_var(--surface),3px_3px_0_0_var(--line-strong)]'
        : quiet
          ? 'rounded-[7px] border-edge bg-surface'
          : 'rounded-[7px] tint';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the graph, which names the active card
    <div
      id={id}
      role="option"
      aria-selected={selected}
      onClick={() => onSelect(shape.id)}
      className={`group tone-${tone} absolute cursor-pointer overflow-hidden border transition-opacity ${body} ${
        shape.kind === 'other' ? 'px-4' : 'border-l-[3px] border-l-[var(--tone)] px-2.5'
      } ${selected ? 'z-10 outline-2 outline-fg outline-offset-2' : ''} ${dim ? 'opacity-25' : ''}`}
      style={{ left: position.x, top: position.y, width: card.width, height: card.height }}
    >
      <div className="flex h-full flex-col justify-center gap-0.5">
        <span className="flex items-center gap-1.5">
          {shape.kind === 'other' && <ExternalLink size={12} className="shrink-0 text-fg-3" aria-hidden />}
          {shape.kind === 'group' && <Layers size={12} className="shrink-0 text-fg-3" aria-hidden />}
          <span
            dir="auto"
            title={shape.title}
            className={`truncate font-semibold text-note ${quiet && tone === 'blocked' ? 'text-fg-2' : ''}`}
          >
            {shape.title}
          </span>
          {shape.kind === 'group' && <span className="ml-auto font-mono text-caption text-fg-3">{shape.count}</span>}
        </span>
        <ShapeDetails shape={shape} />
      </div>
      {linkable && shape.kind === 'node' && (
        <span
          aria-hidden
          data-link-from={shape.id}
          title="Draw a line to a node that waits for this one"
          className="absolute inset-y-0 right-0 grid w-3.5 cursor-crosshair touch-none place-items-center"
        >
          <i
            className={`pointer-events-none size-2 rounded-full bg-accent group-hover:opacity-100 ${selected ? '' : 'opacity-0'}`}
          />
        </span>
      )}
    </div>
  );
});

function GroupLine({ shape: { parts, count } }: { shape: Extract<Shape, { kind: 'group' }> }) {
  const of = (wanted: Appearance) => parts.find(({ appearance }) => appearance === wanted)?.count ?? 0;
  const failed = of(appearances.failed);
  return (
    <>
      <StateBar parts={parts} total={count} height={5} />
      <span className="truncate text-fg-3 text-xs">
        {of(appearances.done)} of {count} done
        {failed > 0 && <span className="tone-fail text-tone-text">, {failed} failed</span>}
      </span>
    </>
  );
}

function ShapeDetails({ shape }: { shape: Shape }) {
  if (shape.kind === 'other')
    return (
      <span className="truncate text-fg-3 text-xs">
        {shape.missing ? 'missing in ' : ''}
        {shape.plan} plan
      </span>
    );
  if (shape.kind === 'group') return <GroupLine shape={shape} />;
  const { claim, submission, leverage, status, unbound } = shape.node;
  const who = claim?.agent ?? (status === 'submitted' ? submission?.agent : undefined);
  return (
    <span className="flex items-center gap-2 text-xs">
      <StateLabel appearance={shape.appearance} size={12} />
      {who !== undefined && <span className="min-w-[32px] flex-1 truncate text-fg-2">{who}</span>}
      {unbound && who === undefined && <Unbound />}
      {leverage > 0 && status !== 'done' && (
        <span className="tone-warn ml-auto inline-flex items-center gap-0.5 text-fg-2">
          <Zap size={11} aria-label="unblocks" role="img" />
          {leverage}
        </span>
      )}
    </span>
  );
}
