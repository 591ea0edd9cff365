import type { Tone } from '../../../ui/tone.tsx';
import { card, type Place } from './layout.ts';
import { type Drawn, edgeKey } from './model.ts';
import { type Box, isIn, type Size, seen, type View } from './view.ts';

const tones: readonly Tone[] = ['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet'];
type Colours = Record<Tone | 'line' | 'fg' | 'bg', string>;

/** The colours of the theme as a canvas can use them. */
function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const names = [...tones, 'line', 'fg', 'bg'] as const;
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Colours;
}

function prepare(canvas: HTMLCanvasElement, { width, height }: Size): CanvasRenderingContext2D | null {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

type Scene = {
  drawn: Drawn;
  places: ReadonlyMap<string, Place>;
  /** What stays bright; null is everything. */
  near: ReadonlySet<string> | null;
  selected: string | null;
  critical: boolean;
};

/** The whole drawing from afar: blocks of colour and thin lines, one pass. */
export function paintFar(canvas: HTMLCanvasElement, size: Size, view: View, scene: Scene): void {
  const context = prepare(canvas, size);
  if (!context) return;
  const colours = coloursOf(canvas);
  const { drawn, places, near, selected } = scene;
  const box = seen(view, size, 0);
  context.translate(view.x, view.y);
  context.scale(view.k, view.k);
  lines(context, scene, box, colours, view.k);
  for (const [id, shape] of drawn.shapes) {
    const place = places.get(id);
    if (!place || !isIn(place, box)) continue;
    context.globalAlpha = near && !near.has(id) ? 0.16 : shape.look.tone === 'blocked' ? 0.55 : 0.95;
    context.fillStyle = colours[shape.look.tone];
    context.beginPath();
    context.roundRect(place.x, place.y, card.width, card.height, 8);
    context.fill();
    if (id !== selected) continue;
    context.globalAlpha = 1;
    context.strokeStyle = colours.fg;
    context.lineWidth = 3 / view.k;
    context.stroke();
  }
}

function lines(context: CanvasRenderingContext2D, scene: Scene, box: Box, colours: Colours, k: number): void {
  const { drawn, places, near, critical } = scene;
  for (const [from, to] of drawn.edges) {
    const [a, b] = [places.get(from), places.get(to)];
    if (!a || !b || (!isIn(a, box) && !isIn(b, box))) continue;
    const bright = critical && drawn.critical.has(edgeKey(from, to));
    context.globalAlpha = near && !(near.has(from) && near.has(to)) ? 0.12 : bright ? 1 : 0.75;
    context.strokeStyle = bright ? colours.fg : colours.line;
    context.lineWidth = (bright ? 2 : 1) / k;
    context.beginPath();
    context.moveTo(a.x + card.width, a.y + card.height / 2);
    context.lineTo(b.x, b.y + card.height / 2);
    context.stroke();
  }
}

/** A small picture of everything with a frame around what is seen. */
export function paintMap(
  canvas: HTMLCanvasElement,
  size: Size,
  map: View,
  frame: Box,
  { drawn, places }: Pick<Scene, 'drawn' | 'places'>,
): void {
  const context = prepare(canvas, size);
  if (!context) return;
  const colours = coloursOf(canvas);
  context.translate(map.x, map.y);
  context.scale(map.k, map.k);
  for (const [id, shape] of drawn.shapes) {
    const place = places.get(id);
    if (!place) continue;
    context.globalAlpha = shape.look.tone === 'blocked' ? 0.5 : 0.9;
    context.fillStyle = colours[shape.look.tone];
    context.fillRect(place.x, place.y, card.width, card.height);
  }
  context.globalAlpha = 0.8;
  context.strokeStyle = colours.fg;
  context.lineWidth = 1.2 / map.k;
  context.strokeRect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
}
