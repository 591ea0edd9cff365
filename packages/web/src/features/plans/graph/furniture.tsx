import { Focus, Layers, Maximize, Minus, Plus, Spline } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../live/settings.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Kbd } from '../../../ui/page.tsx';
import type { Place } from './layout.ts';
import type { Drawn } from './model.ts';
import { mapPicture, paintMap } from './paint.ts';
import type { Viewport } from './use-viewport.ts';
import { extentOf, fit, seen } from './view.ts';

type Toggles = Record<'critical' | 'fold' | 'focus', boolean> & {
  toggle: Record<'critical' | 'fold' | 'focus', () => void>;
};

export function Tools({ critical, fold, focus, toggle }: Toggles) {
  return (
    <div className="absolute top-2.5 left-3 flex gap-2">
      <Button icon={Spline} kind={critical ? 'on' : 'plain'} aria-pressed={critical} onClick={toggle.critical}>
        Critical path
      </Button>
      <Button icon={Layers} kind={fold ? 'on' : 'plain'} aria-pressed={fold} onClick={toggle.fold}>
        Fold finished
      </Button>
      <Button icon={Focus} kind={focus ? 'on' : 'plain'} aria-pressed={focus} onClick={toggle.focus}>
        Focus: 2 hops
      </Button>
    </div>
  );
}

export function ZoomButtons({ zoom, whole }: { zoom: (factor: number) => void; whole: () => void }) {
  return (
    <div className="absolute bottom-12 left-3 flex flex-col rounded-md border border-line-strong bg-raised">
      <IconButton icon={Plus} label="Larger" onClick={() => zoom(1.3)} />
      <IconButton icon={Minus} label="Smaller" onClick={() => zoom(1 / 1.3)} />
      <IconButton icon={Maximize} label="The whole plan" onClick={whole} />
    </div>
  );
}

export function Legend() {
  return (
    <p className="pointer-events-none absolute bottom-3 left-3 flex items-center gap-4 text-fg-3 text-xs">
      <span className="flex items-center gap-1.5">
        <i className="h-0.5 w-5 bg-fg" /> critical path
      </span>
      <span className="flex items-center gap-1.5">
        <i className="w-5 border-line-strong border-t border-dashed" /> cross-plan
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd> walk dependencies
      </span>
    </p>
  );
}

const size = { width: 176, height: 112 };

/** Where in the whole the view is; a click goes there. */
export function MiniMap({ drawn, places, port }: { drawn: Drawn; places: ReadonlyMap<string, Place>; port: Viewport }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useStore(settings, (state) => state.theme);
  const map = useMemo(() => fit(extentOf(places), size, 8), [places]);
  const { view, size: whole, show } = port;
  const picture = useRef<{ of: string; drawn: Drawn; image: HTMLCanvasElement }>(undefined);
  useEffect(() => {
    const target = canvas.current;
    if (!target || whole.width === 0) return;
    const of = `${theme} ${map.k} ${map.x} ${map.y}`;
    if (picture.current?.of !== of || picture.current.drawn !== drawn)
      picture.current = { of, drawn, image: mapPicture(target, size, map, { drawn, places }) };
    paintMap(target, size, map, seen(view, whole, 0), picture.current.image);
  }, [drawn, places, map, view, whole, theme]);
  if (drawn.shapes.size < 8) return null;
  return (
    <canvas
      ref={canvas}
      style={size}
      onClick={({ clientX, clientY, currentTarget }) => {
        const box = currentTarget.getBoundingClientRect();
        const [x, y] = [(clientX - box.left - map.x) / map.k, (clientY - box.top - map.y) / map.k];
        show({ k: view.k, x: whole.width / 2 - x * view.k, y: whole.height / 2 - y * view.k });
      }}
      className="absolute right-3 bottom-3 cursor-pointer rounded-lg border border-line-strong bg-surface"
    />
  );
}
