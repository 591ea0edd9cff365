import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { settings } from '../../../live/settings.ts';
import { type Scene as Picture, paintBlocks, paintLines } from './paint.ts';
import type { Viewport } from './use-viewport.ts';
import type { Size, View } from './view.ts';

/** So far the picture reaches beyond what is seen: within it, panning only moves what is painted. */
const beyond = 320;
const settledMs = 90;

type Scene = Picture & { theme: string };

/** The whole from afar, on two canvases: lines, which rarely change, and blocks, which change with every status. */
export function Far({ scene, port }: { scene: Picture; port: Viewport }) {
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

const shifted = ({ x, y, k }: View): View => ({ x: x + beyond, y: y + beyond, k });
const enlarged = ({ width, height }: Size): Size => ({ width: width + 2 * beyond, height: height + 2 * beyond });

function createPainter(port: Viewport) {
  let canvases: readonly [lines: HTMLCanvasElement, blocks: HTMLCanvasElement] | undefined;
  let scene: Scene | undefined;
  let painted: { view: View; size: Size } | undefined;
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

  const move = (from: View) => {
    const { x, y, k } = port.view();
    const scale = k / from.k;
    const [left, top] = [x - (from.x + beyond) * scale, y - (from.y + beyond) * scale];
    for (const { style } of canvases ?? [])
      style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px) scale(${scale})`;
  };

  const follow = () => {
    const { x, y, k } = port.view();
    const { width, height } = port.size();
    const isSharp = painted?.view.k === k;
    const isNear = painted && Math.abs(x - painted.view.x) < beyond && Math.abs(y - painted.view.y) < beyond;
    if (!painted || painted.size.width !== width || painted.size.height !== height || (isSharp && !isNear)) paintAll();
    else {
      move(painted.view);
      clearTimeout(timer);
      // While the wheel turns the picture is only scaled; it is painted sharp when it rests.
      if (!isSharp) timer = setTimeout(paintAll, settledMs);
    }
  };

  return {
    open(lines: HTMLCanvasElement, blocks: HTMLCanvasElement) {
      canvases = [lines, blocks];
      paintAll();
      const stop = port.listen(follow);
      return () => {
        stop();
        clearTimeout(timer);
      };
    },
    /** A new state is painted over the blocks alone, where the view and the lines are as they were. */
    paint(next: Scene) {
      const before = scene;
      scene = next;
      const isStill =
        before?.edges === next.edges &&
        before.places === next.places &&
        before.near === next.near &&
        before.bright === next.bright &&
        before.theme === next.theme;
      if (isStill && painted && canvases) paintBlocks(canvases[1], enlarged(painted.size), shifted(painted.view), next);
      else paintAll();
    },
  };
}
