import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useLocation } from 'wouter';
import { useKeys } from '../../../ui/keys.ts';
import { useParam } from '../../../ui/search-params.ts';
import { Far } from './far.tsx';
import { Legend, ZoomButtons } from './furniture.tsx';
import type { Place } from './layout.ts';
import { MiniMap } from './mini-map.tsx';
import { around, type Drawn } from './model.ts';
import { Layer, Near } from './near.tsx';
import type { Scene } from './paint.ts';
import { useSight, useViewport, type Viewport } from './use-viewport.ts';
import { centred, extentOf, fit, isIn, readable, type Size, seen, shapeAt } from './view.ts';
import { first, type Step, walk } from './walk.ts';

type Props = {
  drawn: Drawn;
  places: ReadonlyMap<string, Place>;
  critical: boolean;
  hops: number | null;
  openGroup: (group: string) => void;
};

const nothing: ReadonlySet<string> = new Set();

export function Canvas({ drawn, places, critical, hops, openGroup }: Props) {
  const [selectedText, select] = useParam('node');
  const { shapes, graph } = drawn;
  const selected = useMemo(() => idLike(shapes, selectedText), [shapes, selectedText]);
  const [, go] = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const port = useViewport(host);
  const { isFar, size, box: seenBox } = useSight(port);
  const id = useId();
  const near = useMemo(
    () => (hops !== null && selected !== null ? around(selected, graph.edges, hops) : null),
    [hops, selected, graph],
  );
  useFirstFit(port, size, places, selected);
  useChosenInSight(port, places, selected);
  const open = useLatest((to: string) => {
    const shape = shapes.get(to);
    if (shape?.kind === 'other') go(`/plans/${shape.plan}?node=${encodeURIComponent(shape.title)}&view=graph`);
    else if (shape?.kind === 'group') openGroup(shape.group);
    else if (shape) select(shape.id);
  });
  const step = (way: Step) => {
    const to = selected === null ? first(places) : walk(selected, way, drawn, places);
    if (to !== null) select(to);
  };
  const enter = (way: Step) => {
    host.current?.focus();
    step(way);
  };
  useKeys({ j: () => enter('user'), k: () => enter('need') });
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && selected !== null) return open(selected);
    const way = steps[event.key];
    if (!way) return;
    event.preventDefault();
    step(way);
  };
  const whole = useCallback(() => port.show(fit(extentOf(places), port.size(), 36, 28)), [port, places]);
  // What comes into sight may be drawn a few frames later; moving what is there may not wait for it.
  const box = useDeferredValue(seenBox);
  const scene: Scene = useMemo(
    () => ({ shapes, edges: graph.edges, places, near, selected, bright: critical ? drawn.critical : nothing }),
    [shapes, graph, places, near, selected, critical, drawn.critical],
  );
  return (
    <div className="relative flex min-w-0 flex-1">
      <div
        ref={host}
        role="listbox"
        aria-label="Plan graph"
        aria-activedescendant={selected === null ? undefined : `${id}-${selected}`}
        tabIndex={0}
        onKeyDown={press}
        onClick={({ clientX, clientY, currentTarget }) => {
          const box = currentTarget.getBoundingClientRect();
          const to =
            isFar && port.isStill() ? shapeAt(places, port.view(), clientX - box.left, clientY - box.top) : null;
          if (to !== null) open(to);
        }}
        className="relative min-w-0 flex-1 touch-none overflow-hidden bg-[radial-gradient(var(--line)_1px,transparent_1px)] bg-[size:22px_22px] focus-visible:outline-offset-[-2px]"
      >
        {isFar ? (
          <>
            <Far scene={scene} port={port} />
            {selected !== null && (
              <div id={`${id}-${selected}`} role="option" aria-selected className="sr-only">
                {shapes.get(selected)?.title}, {shapes.get(selected)?.look.label}
              </div>
            )}
          </>
        ) : (
          <Layer port={port}>
            <Near id={id} {...scene} crossing={graph.crossing} box={box} onSelect={open} />
          </Layer>
        )}
      </div>
      <ZoomButtons zoom={port.zoom} whole={whole} />
      <MiniMap shapes={shapes} places={places} port={port} />
      <Legend />
    </div>
  );
}

const steps: Record<string, Step> = {
  ArrowLeft: 'need',
  k: 'need',
  ArrowRight: 'user',
  j: 'user',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** What is chosen can be read: from afar, or out of sight, the view comes to it. */
function useChosenInSight(port: Viewport, places: ReadonlyMap<string, Place>, selected: string | null): void {
  const before = useRef(selected);
  useEffect(() => {
    if (before.current === selected) return;
    before.current = selected;
    const place = selected === null ? undefined : places.get(selected);
    const [view, size] = [port.view(), port.size()];
    if (place && (view.k < readable || !isIn(place, seen(view, size, -40))))
      port.show(centred(place, size, Math.max(view.k, 0.9)));
  }, [port, places, selected]);
}

/** Always the same function that does what the newest would. */
function useLatest(run: (to: string) => void): (to: string) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((to: string) => latest.current(to), []);
}

function idLike(shapes: Drawn['shapes'], text: string | null): string | null {
  if (text === null || shapes.has(text)) return text;
  for (const id of shapes.keys()) if (id.toLowerCase() === text.toLowerCase()) return id;
  return null;
}

/** The first look: the chosen card at 1:1, else the whole, and never again by itself. */
function useFirstFit(
  { jump }: Viewport,
  size: Size,
  places: ReadonlyMap<string, Place>,
  selected: string | null,
): void {
  const done = useRef(false);
  useLayoutEffect(() => {
    if (done.current || size.width === 0) return;
    done.current = true;
    const place = selected === null ? undefined : places.get(selected);
    const whole = fit(extentOf(places), size, 36, 28);
    jump(place && whole.k < 0.7 ? centred(place, size, 1) : whole);
  }, [size, places, selected, jump]);
}
