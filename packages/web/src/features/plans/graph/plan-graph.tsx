import { type KeyboardEvent, memo, useCallback, useDeferredValue, useEffect, useId, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { settings } from '../../../live/settings.ts';
import type { PlanStatus } from '../../../live/wire.ts';
import { useKeys } from '../../../ui/keys.ts';
import { useParam } from '../../../ui/search-params.ts';
import { Edges } from './edges.tsx';
import { Legend, MiniMap, Tools, ZoomButtons } from './furniture.tsx';
import type { Place } from './layout.ts';
import { around, type Drawn, drawnOf } from './model.ts';
import { paintFar } from './paint.ts';
import { ShapeCard } from './shape-card.tsx';
import { useLayout } from './use-layout.ts';
import { useViewport, type Viewport } from './use-viewport.ts';
import { type Box, centred, extentOf, fit, isIn, seen, seenCoarsely } from './view.ts';
import { first, type Step, walk } from './walk.ts';

/** Below this size cards cannot be read, so one canvas draws them all. */
const readable = 0.42;
const foldFrom = 60;

export function PlanGraph({ status }: { status: PlanStatus }) {
  const [foldText, setFold] = useParam('fold');
  const [focusText, setFocus] = useParam('focus');
  const [criticalText, setCritical] = useParam('critical');
  const fold = foldText === null ? status.nodes.length > foldFrom : foldText === '1';
  const critical = criticalText !== '0';
  const drawn = useMemo(() => drawnOf(status, fold), [status, fold]);
  const graph = useMemo(() => ({ ids: [...drawn.shapes.keys()], edges: drawn.edges }), [drawn]);
  const places = useLayout(graph);
  const toggle = {
    fold: () => setFold(fold ? '0' : '1'),
    focus: () => setFocus(focusText ? null : '2'),
    critical: () => setCritical(critical ? '0' : null),
  };
  useKeys({ c: toggle.critical, f: toggle.focus, x: toggle.fold });
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      {places ? (
        <Canvas drawn={drawn} places={places} critical={critical} hops={focusText ? Number(focusText) || 2 : null} />
      ) : (
        <p role="status" className="m-auto text-fg-3">
          Laying out {status.nodes.length.toLocaleString('en')} nodes
        </p>
      )}
      <Tools critical={critical} fold={fold} focus={focusText !== null} toggle={toggle} />
    </div>
  );
}

type Props = { drawn: Drawn; places: ReadonlyMap<string, Place>; critical: boolean; hops: number | null };

function Canvas({ drawn, places, critical, hops }: Props) {
  const [selectedText, select] = useParam('node');
  const selected = useMemo(() => idLike(drawn, selectedText), [drawn, selectedText]);
  const [, go] = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const port = useViewport(host);
  const { view, size, show } = port;
  const id = useId();
  const near = useMemo(
    () => (hops !== null && selected !== null ? around(selected, drawn.edges, hops) : null),
    [hops, selected, drawn.edges],
  );
  const isFar = view.k < readable;
  useFirstFit(port, places, selected);

  const choose = useCallback(
    (to: string | null) => {
      const shape = to === null ? undefined : drawn.shapes.get(to);
      if (!shape) return;
      if (shape.kind === 'other') go(`/plans/${shape.plan}?node=${encodeURIComponent(shape.title)}&view=graph`);
      else if (shape.kind === 'node') select(shape.id);
    },
    [drawn, go, select],
  );
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = selected === null ? first(places) : walk(selected, step, drawn, places);
    const place = to === null ? undefined : places.get(to);
    if (!place || to === null) return;
    if (drawn.shapes.get(to)?.kind === 'node') select(to);
    // A card that is walked to can be read: from afar the walk comes near.
    if (isFar || !isIn(place, seen(view, size, -40))) show(centred(place, size, Math.max(view.k, 0.9)));
  };
  const { left, top, right, bottom } = seenCoarsely(view, size);
  // What comes into sight may be drawn a few frames later; moving what is there may not wait for it.
  const box = useDeferredValue(useMemo(() => ({ left, top, right, bottom }), [left, top, right, bottom]));
  return (
    <div className="relative flex min-w-0 flex-1">
      <div
        ref={host}
        role="listbox"
        aria-label="Plan graph"
        aria-activedescendant={selected === null ? undefined : `${id}-${selected}`}
        tabIndex={0}
        onKeyDown={press}
        className="relative min-w-0 flex-1 touch-none overflow-hidden bg-[radial-gradient(var(--line)_1px,transparent_1px)] bg-[size:22px_22px] focus-visible:outline-offset-[-2px]"
      >
        {isFar ? (
          <>
            <Far drawn={drawn} places={places} near={near} selected={selected} critical={critical} port={port} />
            {selected !== null && (
              <div id={`${id}-${selected}`} role="option" aria-selected className="sr-only">
                {drawn.shapes.get(selected)?.title}, {drawn.shapes.get(selected)?.look.label}
              </div>
            )}
          </>
        ) : (
          <div
            role="presentation"
            className="absolute top-0 left-0 origin-top-left will-change-transform"
            style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.k})` }}
          >
            <Near
              id={id}
              drawn={drawn}
              places={places}
              box={box}
              near={near}
              selected={selected}
              critical={critical}
              onSelect={choose}
            />
          </div>
        )}
      </div>
      <ZoomButtons zoom={port.zoom} whole={() => show(fit(extentOf(places), size, 36, 28))} />
      <MiniMap drawn={drawn} places={places} port={port} />
      <Legend />
    </div>
  );
}

type NearProps = Omit<Props, 'hops'> & {
  id: string;
  box: Box;
  near: ReadonlySet<string> | null;
  selected: string | null;
  onSelect: (id: string) => void;
};

/** Cards and lines of the part in sight; panning moves them without drawing them anew. */
const Near = memo(function NearView({ id, drawn, places, box, near, selected, critical, onSelect }: NearProps) {
  return (
    <>
      <Edges drawn={drawn} places={places} box={box} near={near} selected={selected} critical={critical} />
      {[...drawn.shapes.values()].map((shape) => {
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

const steps: Record<string, Step> = {
  ArrowLeft: 'need',
  k: 'need',
  ArrowRight: 'user',
  j: 'user',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

function idLike({ shapes }: Drawn, text: string | null): string | null {
  if (text === null || shapes.has(text)) return text;
  for (const id of shapes.keys()) if (id.toLowerCase() === text.toLowerCase()) return id;
  return null;
}

/** The first look: the chosen card at 1:1, else the whole, and never again by itself. */
function useFirstFit({ size, show }: Viewport, places: ReadonlyMap<string, Place>, selected: string | null): void {
  const done = useRef(false);
  useEffect(() => {
    if (done.current || size.width === 0) return;
    done.current = true;
    const place = selected === null ? undefined : places.get(selected);
    const whole = fit(extentOf(places), size, 36, 28);
    show(place && whole.k < 0.7 ? centred(place, size, 1) : whole);
  }, [size, places, selected, show]);
}

type FarProps = Omit<Props, 'hops'> & { near: ReadonlySet<string> | null; selected: string | null; port: Viewport };

function Far({ drawn, places, near, selected, critical, port: { view, size } }: FarProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useStore(settings, (state) => state.theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (canvas.current && size.width > 0)
      paintFar(canvas.current, size, view, { drawn, places, near, selected, critical });
  }, [drawn, places, near, selected, critical, view, size, theme]);
  return <canvas ref={canvas} className="absolute inset-0 size-full" />;
}
