import type { Tone } from '../../../ui/tone.tsx';
import { card, type Place } from './layout.ts';
import { type Drawn, edgeKey } from './model.ts';
import { type Box, isIn, type Size, seen, type View } from './view.ts';

const tones: readonly Tone[] = ['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet'];
type Colours = Record<Tone | 'line' | 'fg', string>;

const known = new Map<string, Colours>();

/** The colours of the theme as a canvas can use them; asking the browser for them costs a layout, so once is enough. */
function coloursOf(element: HTMLElement): Colours {
  const theme = document.documentElement.dataset.theme ?? '';
  const before = known.get(theme);
  if (before) return before;
  const style = getComputedStyle(element);
  const names = [...tones, 'line', 'fg'] as const;
  const colours = Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as Colours;
  known.set(theme, colours);
  return colours;
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

/** The whole drawing from afar: blocks of colour and thin lines, one stroke of the brush per colour. */
export function paintFar(canvas: HTMLCanvasElement, size: Size, view: View, scene: Scene): void {
  const context = prepare(canvas, size);
  if (!context) return;
  const colours = coloursOf(canvas);
  const box = seen(view, size, 0);
  context.translate(view.x, view.y);
  context.scale(view.k, view.k);
  lines(context, scene, box, colours, view.k);
  blocks(context, scene, box, colours);
  const place = scene.selected === null ? undefined : scene.places.get(scene.selected);
  if (!place) return;
  context.globalAlpha = 1;
  context.strokeStyle = colours.fg;
  context.lineWidth = 3 / view.k;
  context.strokeRect(place.x, place.y, card.width, card.height);
}

function blocks(context: CanvasRenderingContext2D, { drawn, places, near }: Scene, box: Box, colours: Colours): void {
  const paths = new Map<string, Path2D>();
  for (const [id, { look }] of drawn.shapes) {
    const place = places.get(id);
    if (!place || !isIn(place, box)) continue;
    const key = `${look.tone} ${near && !near.has(id) ? 0.16 : look.tone === 'blocked' ? 0.55 : 0.95}`;
    const path = paths.get(key) ?? new Path2D();
    paths.set(key, path);
    path.rect(place.x, place.y, card.width, card.height);
  }
  for (const [key, path] of paths) {
    const [tone, alpha] = key.split(' ') as [Tone, string];
    context.globalAlpha = Number(alpha);
    context.fillStyle = colours[tone];
    context.fill(path);
  }
}

function lines(context: CanvasRenderingContext2D, scene: Scene, box: Box, colours: Colours, k: number): void {
  const { drawn, places, near, critical } = scene;
  const paths = { plain: new Path2D(), dim: new Path2D(), bright: new Path2D() };
  for (const [from, to] of drawn.edges) {
    const [a, b] = [places.get(from), places.get(to)];
    if (!a || !b || (!isIn(a, box) && !isIn(b, box))) continue;
    const dim = near !== null && !(near.has(from) && near.has(to));
    const path = dim ? paths.dim : critical && drawn.critical.has(edgeKey(from, to)) ? paths.bright : paths.plain;
    path.moveTo(a.x + card.width, a.y + card.height / 2);
    path.lineTo(b.x, b.y + card.height / 2);
  }
  const draw = (path: Path2D, colour: string, alpha: number, width: number) => {
    context.globalAlpha = alpha;
    context.strokeStyle = colour;
    context.lineWidth = width / k;
    context.stroke(path);
  };
  draw(paths.dim, colours.line, 0.15, 1);
  draw(paths.plain, colours.line, 0.8, 1);
  draw(paths.bright, colours.fg, 1, 2);
}

/** A small picture of everything, drawn once per change and kept. */
export function mapPicture(canvas: HTMLCanvasElement, size: Size, map: View, scene: Pick<Scene, 'drawn' | 'places'>) {
  const picture = document.createElement('canvas');
  const context = prepare(picture, size);
  if (!context) return picture;
  context.translate(map.x, map.y);
  context.scale(map.k, map.k);
  const all = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };
  blocks(context, { ...scene, near: null, selected: null, critical: false }, all, coloursOf(canvas));
  return picture;
}

/** The small picture with a frame around what is seen. */
export function paintMap(
  canvas: HTMLCanvasElement,
  size: Size,
  map: View,
  frame: Box,
  picture: HTMLCanvasElement,
): void {
  const context = prepare(canvas, size);
  if (!context) return;
  context.drawImage(picture, 0, 0, size.width, size.height);
  context.globalAlpha = 0.8;
  context.strokeStyle = coloursOf(canvas).fg;
  context.lineWidth = 1.2;
  const [x, y] = [map.x + frame.left * map.k, map.y + frame.top * map.k];
  context.strokeRect(x, y, (frame.right - frame.left) * map.k, (frame.bottom - frame.top) * map.k);
}
