import { mapInSteps, runNow, type Task } from '../../../service/src/event-loop/task.ts';
import type { EventModelView } from '../contract.ts';
import { font, gutter, padding, wrap } from './grid.ts';
import { type Card, type Header, type LaneRow, type Layout, type Line, layOutSteps } from './layout.ts';
import { badge, evidencePaint, paints, startLabel } from './paint.ts';

/**
 * The board as a self-contained file. It has presentation attributes only, so that it needs no style sheet and complies
 * with any content security policy, and its own background, so that it is readable on dark pages too.
 */
export const svgOf = (model: EventModelView): string => runNow(svgSteps(model));

export function* svgSteps(model: EventModelView): Task<string> {
  const layout = yield* layOutSteps(model);
  const { width, height } = layout;
  const headers = (yield* mapInSteps(layout.headers, headerOf)).join('');
  const lines = (yield* mapInSteps(layout.lines, lineOf)).join('');
  const cards = (yield* mapInSteps(layout.cards, cardOf)).join('');
  yield;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="Inter, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="${font.size}">\n`,
    `<title>${xml(`Event Model ${model.name}`)}</title>\n`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '<path d="M0 0L8 4L0 8Z" fill="#52606D"/></marker></defs>\n',
    `<rect width="${width}" height="${height}" fill="#F7F8FA"/>\n`,
    ...lanesOf(layout),
    ...layout.bands.map(({ chapter, x, y, width: bandWidth }) => {
      const name = text({
        x: x + 8,
        y: y + 16,
        content: firstLine(chapter, bandWidth),
        more: 'font-weight="600"',
        ink: '#3E4C59',
      });
      return `<rect x="${x}" y="${y}" width="${bandWidth}" height="22" rx="4" fill="#DDE3EA"/>${name}\n`;
    }),
    headers,
    lines,
    cards,
    '</svg>\n',
  ].join('');
}

const firstLine = (label: string, width: number): string => wrap(label, width, 1)[0] ?? '';

type Text = { x: number; y: number; content: string; ink: string; more?: string };
const text = ({ x, y, content, ink, more }: Text): string =>
  `<text x="${x}" y="${y}" fill="${ink}"${more ? ` ${more}` : ''}>${xml(content)}</text>`;

/** The background of each row, with its label. */
function lanesOf({ rows, width }: Layout): string[] {
  return rows.map((row: LaneRow, index) => {
    const background = ['#EEF1F5', '#F4F6F9'][index % 2];
    const named = wrap(row.label, gutter.label, 3).map((content, line) =>
      text({ x: padding + 8, y: row.y + 20 + line * 16, content, ink: '#52606D', more: 'font-weight="600"' }),
    );
    const box = `x="${padding}" y="${row.y - 8}" width="${width - 2 * padding}" height="${row.height + 16}"`;
    return `<rect ${box} rx="6" fill="${background}"/>${named.join('')}\n`;
  });
}

function headerOf({ slice, x, y, width, height }: Header): string {
  const colour = evidencePaint[slice.evidence.state];
  const under = [badge(slice), slice.pattern, startLabel(slice)].filter((label) => label !== null).join(' · ');
  return [
    `<g><title>${xml(`${slice.name}: ${badge(slice)}`)}</title>`,
    `<rect x="${x}" y="${y + 2}" width="${width}" height="${height - 8}" rx="6" fill="#FFFFFF" stroke="${colour}"/>`,
    `<rect x="${x}" y="${y + 2}" width="6" height="${height - 8}" rx="3" fill="${colour}"/>`,
    text({
      x: x + 14,
      y: y + 20,
      content: firstLine(slice.name, width),
      ink: '#1F2933',
      more: 'font-weight="600"',
    }),
    text({ x: x + 14, y: y + 37, content: firstLine(under, width * 1.15), ink: colour, more: 'font-size="11"' }),
    '</g>\n',
  ].join('');
}

function lineOf({ kind, points }: Line): string {
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const paint = kind === 'edge' ? 'stroke="#52606D" stroke-width="1.4"' : 'stroke="#8A94A6" stroke-dasharray="5 3"';
  return `<path d="${path}" fill="none" stroke-linejoin="round" ${paint} marker-end="url(#tip)"/>\n`;
}

function cardOf({ kind, lines, label, observed, x, y, width, height }: Card): string {
  const { fill, ink, stroke, dash } = paints[kind];
  const step = font.size * font.line;
  const first = y + height / 2 - ((lines.length - 1) * step) / 2 + font.size * 0.35;
  const textLines = lines.map((line, index) =>
    text({ x: x + width / 2, y: round(first + index * step), content: line, ink, more: 'text-anchor="middle"' }),
  );
  const edge = `stroke="${stroke}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
  const mark = observed ? `<path d="M${x + width} ${y}h-14l14 14z" fill="${ink}"/>` : '';
  return `<g><title>${xml(`${kind}: ${label}`)}</title><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="${fill}" ${edge}/>${mark}${textLines.join('')}</g>\n`;
}

const round = (value: number): number => Math.round(value * 100) / 100;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Also replaces characters that XML does not allow even when escaped. */
const xml = (content: string): string =>
  content
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
