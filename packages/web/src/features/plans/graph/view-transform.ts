import { type CardPosition, card } from './layout.ts';

/** Pan and zoom: a point of the drawing is at `x + k * point` on the screen. */
export type ViewTransform = { x: number; y: number; k: number };
export type Size = { width: number; height: number };
export type Box = { left: number; top: number; right: number; bottom: number };

/** Below this zoom titles cannot be read, so one canvas draws an overview. */
export const readableZoom = 0.6;
export const zoomLimits = { least: 0.03, most: 1.6 } as const;

/** The overview in the lower right corner. It is open at first if the graph is at least `opensFrom` wide and has at least `fewestCards`. */
export const overview = { width: 176, height: 112, gap: 12, opensFrom: 900, fewestCards: 8 } as const;

export function extentOf(positions: ReadonlyMap<string, CardPosition>): Box {
  const box: Box = { left: 0, top: 0, right: card.width, bottom: card.height };
  for (const { x, y } of positions.values()) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + card.width);
    box.bottom = Math.max(box.bottom, y + card.height);
  }
  return box;
}

/** Shows the whole drawing in the middle, never larger than 1:1; `above` is the height covered by controls. */
export function fit(extent: Box, { width, height }: Size, margin = 36, above = 0): ViewTransform {
  const [w, h] = [extent.right - extent.left, extent.bottom - extent.top];
  const k = Math.min(1, Math.max(0.001, Math.min((width - 2 * margin) / w, (height - above - 2 * margin) / h)));
  return { k, x: (width - w * k) / 2 - extent.left * k, y: above + (height - above - h * k) / 2 - extent.top * k };
}

/** Moves the drawing up, at most to `top`, if the overview in the corner would cover cards. */
export function clearOfOverview(
  view: ViewTransform,
  positions: ReadonlyMap<string, CardPosition>,
  { width, height }: Size,
  top: number,
): ViewTransform {
  const left = width - overview.width - overview.gap;
  const above = height - overview.height - overview.gap;
  let covered = 0;
  let first = Number.POSITIVE_INFINITY;
  for (const { x, y } of positions.values()) {
    first = Math.min(first, view.y + y * view.k);
    const right = view.x + (x + card.width) * view.k;
    if (right > left) covered = Math.max(covered, view.y + (y + card.height) * view.k - above);
  }
  return { ...view, y: view.y - Math.max(0, Math.min(covered, first - top)) };
}

export function zoomAt(view: ViewTransform, factor: number, x: number, y: number): ViewTransform {
  const k = Math.min(zoomLimits.most, Math.max(Math.min(zoomLimits.least, view.k), view.k * factor));
  const scale = k / view.k;
  return { k, x: x - (x - view.x) * scale, y: y - (y - view.y) * scale };
}

export function centredOn({ x, y }: CardPosition, { width, height }: Size, k: number): ViewTransform {
  return { k, x: width / 2 - (x + card.width / 2) * k, y: height / 2 - (y + card.height / 2) * k };
}

/** Moves the view until the drawing fills it: no side is empty while the opposite side is cut off. `above` is covered. */
export function filledWith(view: ViewTransform, extent: Box, size: Size, margin: number, above: number): ViewTransform {
  const { k } = view;
  return {
    k,
    x: filled(view.x, [extent.left * k, extent.right * k], [margin, size.width - margin]),
    y: filled(view.y, [extent.top * k, extent.bottom * k], [above + margin, size.height - margin]),
  };
}

type Range = readonly [from: number, to: number];

function filled(offset: number, [low, high]: Range, [from, to]: Range): number {
  const [first, last] = [offset + low, offset + high];
  if (last - first <= to - from) return offset + (from + to - first - last) / 2;
  if (first > from) return offset + from - first;
  return last < to ? offset + to - last : offset;
}

/** The visible box in coarse steps: while it stays equal, no new card becomes visible. */
export function coarseVisibleBox(view: ViewTransform, size: Size): Box {
  const step = 240;
  const { left, top, right, bottom } = visibleBox(view, size, 120);
  const [down, up] = [
    (value: number) => Math.floor(value / step) * step,
    (value: number) => Math.ceil(value / step) * step,
  ];
  return { left: down(left), top: down(top), right: up(right), bottom: up(bottom) };
}

/** The visible part of the drawing and a margin around it, in the drawing's coordinates. */
export function visibleBox({ x, y, k }: ViewTransform, { width, height }: Size, margin = 260): Box {
  return {
    left: -x / k - margin,
    top: -y / k - margin,
    right: (width - x) / k + margin,
    bottom: (height - y) / k + margin,
  };
}

export const isInBox = ({ x, y }: CardPosition, box: Box): boolean =>
  x + card.width >= box.left && x <= box.right && y + card.height >= box.top && y <= box.bottom;

/** The card under a point of the screen. */
export function shapeAt(
  positions: ReadonlyMap<string, CardPosition>,
  view: ViewTransform,
  x: number,
  y: number,
): string | null {
  const [px, py] = [(x - view.x) / view.k, (y - view.y) / view.k];
  for (const [id, position] of positions)
    if (px >= position.x && px <= position.x + card.width && py >= position.y && py <= position.y + card.height)
      return id;
  return null;
}

/** A line from the right side of one card to the left side of another. */
export function curve(from: CardPosition, to: CardPosition): string {
  const [x1, y1] = [from.x + card.width, from.y + card.height / 2];
  const [x2, y2] = [to.x, to.y + card.height / 2];
  // To the next row of a wrapped chain: down between the rows and back to the left.
  if (x2 < x1) {
    const between = to.y > from.y ? to.y - 18 : to.y + card.height + 18;
    return `M${x1} ${y1}h18V${between}H${x2 - 22}V${y2}H${x2 - 5}`;
  }
  const bend = Math.max(26, Math.min(120, (x2 - x1) / 2));
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 5} ${y2}`;
}
