import type { Tone } from '../../../ui/appearance.tsx';
import { stateMarks } from '../../../ui/state-marks.ts';
import { type Drawing, edgeKey } from './drawing.ts';
import { type CardPosition, card } from './layout.ts';
import { type Box, isInBox, type Size, type ViewTransform, visibleBox } from './view-transform.ts';

const tones: readonly Tone[] = ['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet', 'handed'];
type GraphColours = Record<Tone | 'edge' | 'fg' | 'bg', string>;

/** Narrower cards have no room for a name, and lower ones no room for a mark. */
const smallestNamed = 56;
const smallestMarked = 14;

const coloursByTheme = new Map<string, GraphColours>();

/** The theme's colours for a canvas. Reading them costs a layout, so they are read once. */
function graphColours(element: HTMLElement): GraphColours {
  const theme = document.documentElement.dataset.theme ?? '';
  const before = coloursByTheme.get(theme);
  if (before) return before;
  const style = getComputedStyle(element);
  const names = [...tones, 'edge', 'fg', 'bg'] as const;
  const colours = Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as GraphColours;
  coloursByTheme.set(theme, colours);
  return colours;
}

function prepare(
  canvas: HTMLCanvasElement,
  { width, height }: Size,
  view: ViewTransform,
): CanvasRenderingContext2D | null {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  }
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  context?.translate(view.x, view.y);
  context?.scale(view.k, view.k);
  return context;
}

export type Scene = {
  shapes: Drawing['shapes'];
  edges: Drawing['graph']['edges'];
  positions: ReadonlyMap<string, CardPosition>;
  /** The shapes that are not dimmed; null means all. */
  near: ReadonlySet<string> | null;
  selected: string | null;
  bright: ReadonlySet<string>;
};

/** Cards in the far view: blocks of colour. */
export function paintBlocks(
  canvas: HTMLCanvasElement,
  size: Size,
  view: ViewTransform,
  { shapes, positions, near, selected }: Pick<Scene, 'shapes' | 'positions' | 'near' | 'selected'>,
): void {
  const context = prepare(canvas, size, view);
  if (!context) return;
  const colours = graphColours(canvas);
  const box = visibleBox(view, size, 0);
  const brushes = new Map<string, { tone: Tone; alpha: number; list: CardPosition[] }>();
  for (const [id, { appearance }] of shapes) {
    const position = positions.get(id);
    if (!position || !isInBox(position, box)) continue;
    const { tone } = appearance;
    const alpha = near && !near.has(id) ? 0.16 : tone === 'blocked' ? 0.8 : 0.95;
    const brush = brushes.get(`${tone} ${alpha}`);
    if (brush) brush.list.push(position);
    else brushes.set(`${tone} ${alpha}`, { tone, alpha, list: [position] });
  }
  for (const { tone, alpha, list } of brushes.values()) {
    context.globalAlpha = alpha;
    context.fillStyle = colours[tone];
    for (const { x, y } of list) context.fillRect(x, y, card.width, card.height);
  }
  if (card.width * view.k >= smallestMarked) paintNames(context, view, box, colours, { shapes, positions, near });
  const position = selected === null ? undefined : positions.get(selected);
  if (!position) return;
  context.globalAlpha = 1;
  context.strokeStyle = colours.fg;
  context.lineWidth = 3 / view.k;
  context.strokeRect(position.x, position.y, card.width, card.height);
}

/** The mark of the state on every block, and its name if there is room. */
function paintNames(
  context: CanvasRenderingContext2D,
  view: ViewTransform,
  box: Box,
  colours: GraphColours,
  { shapes, positions, near }: Pick<Scene, 'shapes' | 'positions' | 'near'>,
): void {
  const isNamed = card.width * view.k >= smallestNamed;
  const height = Math.min(card.height * 0.8, 11 / view.k);
  context.font = `600 ${height}px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'middle';
  context.fillStyle = colours.bg;
  const room = card.width - 1.6 * height;
  for (const [id, { appearance, title }] of shapes) {
    const position = positions.get(id);
    if (!position || !isInBox(position, box)) continue;
    context.globalAlpha = near && !near.has(id) ? 0.4 : 1;
    const middle = position.y + card.height / 2;
    context.fillText(stateMarks[appearance.tone], position.x + height * 0.3, middle);
    if (!isNamed) continue;
    const letters = Math.floor(room / (height * 0.58));
    const text = title.length > letters ? `${title.slice(0, Math.max(1, letters - 1))}…` : title;
    context.fillText(text, position.x + height * 1.4, middle, room);
  }
}

/** Lines in the far view: straight and thin, with one stroke for each kind. */
export function paintLines(
  canvas: HTMLCanvasElement,
  size: Size,
  view: ViewTransform,
  { edges, positions, near, bright }: Pick<Scene, 'edges' | 'positions' | 'near' | 'bright'>,
): void {
  const context = prepare(canvas, size, view);
  if (!context) return;
  const colours = graphColours(canvas);
  const box: Box = visibleBox(view, size, 0);
  const paths = { plain: new Path2D(), dim: new Path2D(), bright: new Path2D() };
  for (const [from, to] of edges) {
    const [a, b] = [positions.get(from), positions.get(to)];
    if (!a || !b || (!isInBox(a, box) && !isInBox(b, box))) continue;
    const dim = near !== null && !(near.has(from) && near.has(to));
    const path = dim ? paths.dim : bright.has(edgeKey(from, to)) ? paths.bright : paths.plain;
    path.moveTo(a.x + card.width, a.y + card.height / 2);
    path.lineTo(b.x, b.y + card.height / 2);
  }
  const draw = (path: Path2D, colour: string, alpha: number, width: number) => {
    context.globalAlpha = alpha;
    context.strokeStyle = colour;
    context.lineWidth = width / view.k;
    context.stroke(path);
  };
  draw(paths.dim, colours.edge, 0.25, 1);
  draw(paths.plain, colours.edge, 1, 1);
  draw(paths.bright, colours.fg, 1, 2);
}
