import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../../paths.ts';
import { useKeys } from '../../../ui/use-keys.ts';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { type Direction, firstCard, nextCard } from './card-navigation.ts';
import { type Drawing, withinHops } from './drawing.ts';
import { LineBeingDrawn, LineByKeys } from './drawn-line.tsx';
import { FarView } from './far-view.tsx';
import { GraphFoot } from './graph-controls.tsx';
import { initialView } from './initial-view.ts';
import type { CardPosition } from './layout.ts';
import { hasOverview, MiniMap } from './mini-map.tsx';
import { NearView, PannedLayer } from './near-view.tsx';
import type { Scene } from './paint-graph.ts';
import { type LinkNodes, useLinkDrawing } from './use-link-drawing.ts';
import { useViewport, useVisibleArea, type Viewport } from './use-viewport.ts';
import {
  centredOn,
  clearOfOverview,
  extentOf,
  fit,
  isInBox,
  overview,
  readableZoom,
  type Size,
  shapeAt,
  visibleBox,
} from './view-transform.ts';

type Props = {
  drawn: Drawing;
  positions: ReadonlyMap<string, CardPosition>;
  critical: boolean;
  hops: number | null;
  openGroup: (group: string) => void;
  /** Omitted if nothing may be changed. */
  link: LinkNodes | undefined;
};

/** Below this width there is no overview map. */
const narrowest = 560;

const noEdges: ReadonlySet<string> = new Set();

export function GraphCanvas({ drawn, positions, critical, hops, openGroup, link }: Props) {
  const [selectedText, select] = useSearchParam('node');
  const { shapes, graph } = drawn;
  const selected = useMemo(() => matchingId(shapes, selectedText), [shapes, selectedText]);
  const [, go] = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const port = useViewport(host);
  const { isFar, size, box: visibleBox } = useVisibleArea(port);
  const id = useId();
  const focused = useMemo(
    () => (hops !== null && selected !== null ? withinHops(selected, graph.edges, hops) : null),
    [hops, selected, graph],
  );
  useInitialView(port, size, drawn, positions, selected);
  useSelectedInView(port, positions, selected);
  const open = useLatest((to: string) => {
    const shape = shapes.get(to);
    if (shape?.kind === 'other') go(paths.node(shape.plan, shape.title, 'graph'));
    else if (shape?.kind === 'group') openGroup(shape.group);
    else if (shape) select(shape.id);
  });
  const drawing = useLinkDrawing({ host, port, positions, shapes, link });
  const step = (direction: Direction) => {
    const to = selected === null ? firstCard(positions) : nextCard(selected, direction, drawn, positions);
    if (to !== null) select(to);
  };
  const enter = (direction: Direction) => {
    host.current?.focus();
    step(direction);
  };
  useKeys({ j: () => enter('user'), k: () => enter('need'), l: () => drawing.mark(selected) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && drawing.marked) {
      event.preventDefault();
      return drawing.mark(null);
    }
    if (event.key === 'Enter' && selected !== null)
      return drawing.marked ? drawing.connectMarked(selected) : open(selected);
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    step(direction);
  };
  const [mapChoice, setMapChoice] = useState<boolean | null>(null);
  const hasMap = size.width > narrowest && hasOverview(shapes);
  const isMapOpen = mapChoice ?? size.width >= overview.opensFrom;
  const hasOpenMap = hasMap && isMapOpen;
  const whole = useCallback(() => {
    const view = fit(extentOf(positions), port.size(), 36, 28);
    port.show(hasOpenMap ? clearOfOverview(view, positions, port.size(), 48) : view);
  }, [port, positions, hasOpenMap]);
  // Cards that become visible may be drawn a few frames later; panning must not wait for them.
  const box = useDeferredValue(visibleBox);
  const scene: Scene = useMemo(
    () => ({
      shapes,
      edges: graph.edges,
      positions,
      near: focused,
      selected,
      bright: critical ? drawn.critical : noEdges,
    }),
    [shapes, graph, positions, focused, selected, critical, drawn.critical],
  );
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="relative flex min-h-0 flex-1">
        <div
          ref={host}
          role="listbox"
          aria-label="Plan graph"
          aria-activedescendant={selected === null ? undefined : `${id}-${selected}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          {...drawing.drag}
          onClick={({ clientX, clientY, currentTarget }) => {
            const box = currentTarget.getBoundingClientRect();
            const to =
              isFar && port.isClick() ? shapeAt(positions, port.view(), clientX - box.left, clientY - box.top) : null;
            if (to !== null) open(to);
          }}
          className="relative min-w-0 flex-1 touch-none overflow-hidden bg-[radial-gradient(var(--line)_1px,transparent_1px)] bg-[size:22px_22px] focus-visible:outline-offset-[-2px]"
        >
          {isFar ? (
            <>
              <FarView scene={scene} port={port} />
              {selected !== null && (
                <div id={`${id}-${selected}`} role="option" aria-selected className="sr-only">
                  {shapes.get(selected)?.title}, {shapes.get(selected)?.appearance.label}
                </div>
              )}
            </>
          ) : (
            <PannedLayer port={port}>
              <NearView
                id={id}
                {...scene}
                crossing={graph.crossing}
                box={box}
                linkable={link !== undefined}
                onSelect={open}
              />
              {drawing.line && <LineBeingDrawn line={drawing.line} positions={positions} />}
            </PannedLayer>
          )}
        </div>
        <LineByKeys from={drawing.marked} />
        {hasOpenMap && <MiniMap shapes={shapes} positions={positions} port={port} />}
      </div>
      <GraphFoot {...{ shapes, isFar, whole }} zoom={port.zoom} map={hasMap ? isMapOpen : null} onMap={setMapChoice} />
    </div>
  );
}

const directions: Record<string, Direction> = {
  ArrowLeft: 'need',
  k: 'need',
  ArrowRight: 'user',
  j: 'user',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** Moves the view to a newly selected card when it is outside the view or too small to read. */
function useSelectedInView(
  port: Viewport,
  positions: ReadonlyMap<string, CardPosition>,
  selected: string | null,
): void {
  const before = useRef(selected);
  useEffect(() => {
    if (before.current === selected) return;
    before.current = selected;
    const position = selected === null ? undefined : positions.get(selected);
    const [view, size] = [port.view(), port.size()];
    if (position && (view.k < readableZoom || !isInBox(position, visibleBox(view, size, -40))))
      port.show(centredOn(position, size, Math.max(view.k, 0.9)));
  }, [port, positions, selected]);
}

/** A stable function that always calls the latest `run`. */
function useLatest(run: (to: string) => void): (to: string) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((to: string) => latest.current(to), []);
}

function matchingId(shapes: Drawing['shapes'], text: string | null): string | null {
  if (text === null || shapes.has(text)) return text;
  for (const id of shapes.keys()) if (id.toLowerCase() === text.toLowerCase()) return id;
  return null;
}

/** Shows the initial view. Done once. */
function useInitialView(
  { jump }: Viewport,
  size: Size,
  drawn: Drawing,
  positions: ReadonlyMap<string, CardPosition>,
  selected: string | null,
): void {
  const done = useRef(false);
  useLayoutEffect(() => {
    if (done.current || size.width === 0) return;
    done.current = true;
    jump(initialView(drawn.shapes, positions, size, selected));
  }, [size, drawn, positions, selected, jump]);
}
