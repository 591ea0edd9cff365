import type { Layout } from 'signalbox/browser/event-model-layout';
import type { VisibleRange } from './use-visible-range.ts';

export type DrawnLine = { kind: 'edge' | 'link'; from: number; to: number; points: Line['points']; arrowHead: string };
type Line = Layout['lines'][number];

/** Every line with the horizontal range that it crosses. */
export function drawnLines(lines: readonly Line[]): DrawnLine[] {
  return lines.flatMap(({ kind, points }): DrawnLine[] => {
    const [last, before] = [points.at(-1), points.at(-2)];
    if (!last || !before) return [];
    let [from, to] = [last[0], last[0]];
    for (const [x] of points) {
      if (x < from) from = x;
      if (x > to) to = x;
    }
    return [{ kind, from, to, points, arrowHead: arrowHead(before, last) }];
  });
}

const arrowSize = 6;

/** The head of an arrow that comes from `before`. */
function arrowHead([fromX, fromY]: Line['points'][number], [x, y]: Line['points'][number]): string {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [alongX, alongY] = [((x - fromX) / length) * arrowSize, ((y - fromY) / length) * arrowSize];
  const [sideX, sideY] = [-alongY / 1.8, alongX / 1.8];
  const [baseX, baseY] = [x - alongX, y - alongY];
  const round = (value: number) => Math.round(value * 10) / 10;
  return `M${x} ${y}L${round(baseX + sideX)} ${round(baseY + sideY)}L${round(baseX - sideX)} ${round(baseY - sideY)}Z`;
}

/** Lines are cut at multiples of the dash length, so that dashes do not move when more of the line is drawn. */
const dashPeriod = 8;

/** The part of a line near the window: drawing a dashed line across 500 slices takes longer than drawing everything visible. */
export function clippedPath(points: Line['points'], visible: VisibleRange): string {
  const [min, max] = [
    Math.floor(visible.from / dashPeriod) * dashPeriod,
    Math.ceil(visible.to / dashPeriod) * dashPeriod,
  ];
  const inside = (x: number) => Math.max(min, Math.min(max, x));
  let path = '';
  let pen = false;
  points.forEach(([x, y], index) => {
    const before = points[index - 1];
    if (!before) return;
    const outside = (x < min && before[0] < min) || (x > max && before[0] > max);
    if (outside) {
      pen = false;
      return;
    }
    if (!pen) path += `M${inside(before[0])} ${before[1]}`;
    path += `L${inside(x)} ${y}`;
    pen = true;
  });
  return path;
}

/** Whether a range touches the visible range. */
export const overlaps = (from: number, to: number, visible: VisibleRange): boolean =>
  to >= visible.from && from <= visible.to;
