import { memo, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../live/settings.ts';
import type { Place } from './layout.ts';
import type { Drawn } from './model.ts';
import { paintBlocks } from './paint.ts';
import type { Viewport } from './use-viewport.ts';
import { extentOf, fit, seen, type View } from './view.ts';

const size = { width: 176, height: 112 };

type Props = { shapes: Drawn['shapes']; places: ReadonlyMap<string, Place>; port: Viewport };

/** Where in the whole the view is; a click goes there. The picture changes with the states, the frame with every pan. */
export const MiniMap = memo(function GraphMap({ shapes, places, port }: Props) {
  const map = useMemo(() => fit(extentOf(places), size, 8), [places]);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = () => {
      if (frame.current) place(frame.current, map, port);
    };
    follow();
    return port.listen(follow);
  }, [map, port]);
  if (shapes.size < 8) return null;
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
      <Picture shapes={shapes} places={places} map={map} />
      <div ref={frame} className="absolute top-0 left-0 rounded-[3px] border border-fg/80 will-change-transform" />
    </div>
  );
});

function Picture({ shapes, places, map }: Pick<Props, 'shapes' | 'places'> & { map: View }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useStore(settings, (state) => state.theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    // After the picture it is a copy of: the map may be a moment late.
    const timer = setTimeout(() => {
      if (canvas.current) paintBlocks(canvas.current, size, map, { shapes, places, near: null, selected: null });
    }, 60);
    return () => clearTimeout(timer);
  }, [shapes, places, map, theme]);
  return <canvas ref={canvas} />;
}

function place({ style }: HTMLElement, map: View, port: Viewport): void {
  const { left, top, right, bottom } = seen(port.view(), port.size(), 0);
  style.transform = `translate(${Math.round(map.x + left * map.k)}px, ${Math.round(map.y + top * map.k)}px)`;
  // A new size costs a layout; panning keeps the size.
  const [width, height] = [`${((right - left) * map.k).toFixed(1)}px`, `${((bottom - top) * map.k).toFixed(1)}px`];
  if (style.width !== width) style.width = width;
  if (style.height !== height) style.height = height;
}
