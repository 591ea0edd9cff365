import { memo, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../ui/settings.ts';
import type { Drawing } from './drawing.ts';
import type { CardPosition } from './layout.ts';
import { paintBlocks } from './paint-graph.ts';
import type { Viewport } from './use-viewport.ts';
import { extentOf, fit, overview, type ViewTransform, visibleBox } from './view-transform.ts';

const size = { width: overview.width, height: overview.height };

type Props = { shapes: Drawing['shapes']; positions: ReadonlyMap<string, CardPosition>; port: Viewport };

/** A drawing of only a few cards needs no overview. */
export const hasOverview = (shapes: Drawing['shapes']): boolean => shapes.size >= overview.fewestCards;

/** Shows the visible part within the whole graph; a click moves the view. The canvas follows states, the frame follows pans. */
export const MiniMap = memo(function GraphMap({ shapes, positions, port }: Props) {
  const map = useMemo(() => fit(extentOf(positions), size, 8), [positions]);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = () => {
      if (frame.current) positionFrame(frame.current, map, port);
    };
    follow();
    return port.subscribe(follow);
  }, [map, port]);
  return (
    <div
      aria-hidden="true"
      onClick={({ clientX, clientY, currentTarget }) => {
        const box = currentTarget.getBoundingClientRect();
        const [x, y] = [(clientX - box.left - map.x) / map.k, (clientY - box.top - map.y) / map.k];
        const { k } = port.view();
        const { width, height } = port.size();
        port.show({ k, x: width / 2 - x * k, y: height / 2 - y * k });
      }}
      className="absolute right-3 bottom-3 cursor-pointer overflow-hidden rounded-lg border border-line-strong bg-surface"
      style={size}
    >
      <MapCanvas shapes={shapes} positions={positions} map={map} />
      <div ref={frame} className="absolute top-0 left-0 rounded-[3px] border border-fg/80 will-change-transform" />
    </div>
  );
});

function MapCanvas({ shapes, positions, map }: Pick<Props, 'shapes' | 'positions'> & { map: ViewTransform }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useStore(settings, (state) => state.theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    // Painted after the graph itself, because the map may be a moment late.
    const timer = setTimeout(() => {
      if (canvas.current) paintBlocks(canvas.current, size, map, { shapes, positions, near: null, selected: null });
    }, 60);
    return () => clearTimeout(timer);
  }, [shapes, positions, map, theme]);
  return <canvas ref={canvas} />;
}

function positionFrame({ style }: HTMLElement, map: ViewTransform, port: Viewport): void {
  const { left, top, right, bottom } = visibleBox(port.view(), port.size(), 0);
  style.transform = `translate(${Math.round(map.x + left * map.k)}px, ${Math.round(map.y + top * map.k)}px)`;
  // Changing the size costs a layout; panning keeps the size.
  const [width, height] = [`${((right - left) * map.k).toFixed(1)}px`, `${((bottom - top) * map.k).toFixed(1)}px`];
  if (style.width !== width) style.width = width;
  if (style.height !== height) style.height = height;
}
