import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../ui/settings.ts';
import { paintBlocks, paintLines, type Scene } from './paint-graph.ts';
import type { Viewport } from './use-viewport.ts';
import type { Size, ViewTransform } from './view-transform.ts';

/** The canvas extends beyond the window by this much on each side, so that a short pan moves it without painting. */
const marginPixels = 320;
const settledMs = 90;

type ThemedScene = Scene & { theme: string };

/** The zoomed-out graph on two canvases: lines, which rarely change, and blocks, which change with every status. */
export function FarView({ scene, port }: { scene: Scene; port: Viewport }) {
  const lines = useRef<HTMLCanvasElement>(null);
  const blocks = useRef<HTMLCanvasElement>(null);
  const theme = useStore(settings, (state) => state.theme);
  const painter = useMemo(() => createPainter(port), [port]);
  useEffect(() => {
    if (lines.current && blocks.current) return painter.open(lines.current, blocks.current);
  }, [painter]);
  useEffect(() => painter.paint({ ...scene, theme }), [painter, scene, theme]);
  return (
    <>
      <canvas ref={lines} className="absolute origin-top-left will-change-transform" />
      <canvas ref={blocks} className="absolute origin-top-left will-change-transform" />
    </>
  );
}

const shifted = ({ x, y, k }: ViewTransform): ViewTransform => ({ x: x + marginPixels, y: y + marginPixels, k });
const enlarged = ({ width, height }: Size): Size => ({
  width: width + 2 * marginPixels,
  height: height + 2 * marginPixels,
});

function createPainter(port: Viewport) {
  let canvases: readonly [lines: HTMLCanvasElement, blocks: HTMLCanvasElement] | undefined;
  let scene: ThemedScene | undefined;
  let painted: { view: ViewTransform; size: Size } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const paintAll = () => {
    clearTimeout(timer);
    const size = port.size();
    if (!scene || !canvases || size.width === 0) return;
    painted = { view: port.view(), size };
    paintLines(canvases[0], enlarged(size), shifted(painted.view), scene);
    paintBlocks(canvases[1], enlarged(size), shifted(painted.view), scene);
    move(painted.view);
  };

  const move = (from: ViewTransform) => {
    const { x, y, k } = port.view();
    const scale = k / from.k;
    const [left, top] = [x - (from.x + marginPixels) * scale, y - (from.y + marginPixels) * scale];
    for (const { style } of canvases ?? [])
      style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px) scale(${scale})`;
  };

  const follow = () => {
    const { x, y, k } = port.view();
    const { width, height } = port.size();
    const isSharp = painted?.view.k === k;
    const isNear =
      painted && Math.abs(x - painted.view.x) < marginPixels && Math.abs(y - painted.view.y) < marginPixels;
    if (!painted || painted.size.width !== width || painted.size.height !== height || (isSharp && !isNear)) paintAll();
    else {
      move(painted.view);
      clearTimeout(timer);
      // While the wheel turns the canvas is only scaled; it is painted again when the wheel stops.
      if (!isSharp) timer = setTimeout(paintAll, settledMs);
    }
  };

  return {
    open(lines: HTMLCanvasElement, blocks: HTMLCanvasElement) {
      canvases = [lines, blocks];
      paintAll();
      const stop = port.subscribe(follow);
      return () => {
        stop();
        clearTimeout(timer);
      };
    },
    /** Paints only the blocks when neither the view nor the lines have changed. */
    paint(next: ThemedScene) {
      const before = scene;
      scene = next;
      const isUnchanged =
        before?.edges === next.edges &&
        before.positions === next.positions &&
        before.near === next.near &&
        before.bright === next.bright &&
        before.theme === next.theme;
      if (isUnchanged && painted && canvases)
        paintBlocks(canvases[1], enlarged(painted.size), shifted(painted.view), next);
      else paintAll();
    },
  };
}
