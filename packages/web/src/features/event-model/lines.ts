import type { Layout } from 'signalbox/event-model-layout';
import type { Seen } from './use-seen.ts';

export type Stretch = { kind: 'edge' | 'link'; from: number; to: number; points: Line['points']; tip: string };
type Line = Layout['lines'][number];

/** Every line with the stretch of the drawing that it crosses. */
export function stretchesOf(lines: readonly Line[]): Stretch[] {
  return lines.flatMap(({ kind, points }): Stretch[] => {
    const [last, before] = [points.at(-1), points.at(-2)];
    if (!last || !before) return [];
    let [from, to] = [last[0], last[0]];
    for (const [x] of points) {
      if (x < from) from = x;
      if (x > to) to = x;
    }
    return [{ kind, from, to, points, tip: tipOf(before, last) }];
  });
}

const size = 6;

/** The head of an arrow that comes from `before`. */
function tipOf([fromX, fromY]: Line['points'][number], [x, y]: Line['points'][number]): string {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [alongX, alongY] = [((x - fromX) / length) * size, ((y - fromY) / length) * size];
  const [sideX, sideY] = [-alongY / 1.8, alongX / 1.8];
  const [baseX, baseY] = [x - alongX, y - alongY];
  const round = (value: number) => Math.round(value * 10) / 10;
  return `M${x} ${y}L${round(baseX + sideX)} ${round(baseY + sideY)}L${round(baseX - sideX)} ${round(baseY - sideY)}Z`;
}

/** Cut where dashes begin anew, so that they stay where they are when more of the line is drawn. */
const period = 8;

/** The part of a line near the window: a dashed line across 500 slices takes longer to draw than all that is seen. */
export function clipped(points: Line['points'], seen: Seen): string {
  const [least, most] = [Math.floor(seen.from / period) * period, Math.ceil(seen.to / period) * period];
  const inside = (x: number) => Math.max(least, Math.min(most, x));
  let path = '';
  let pen = false;
  points.forEach(([x, y], index) => {
    const before = points[index - 1];
    if (!before) return;
    const outside = (x < least && before[0] < least) || (x > most && before[0] > most);
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

/** What touches the seen stretch. */
export const crosses = (from: number, to: number, seen: Seen): boolean => to >= seen.from && from <= seen.to;
