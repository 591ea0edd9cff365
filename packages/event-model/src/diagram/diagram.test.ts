import { describe, expect, test } from 'vitest';
import { host, modelOf, sliceOf, specs, typeOf } from '../../testing/wallets.ts';
import type { EventModelView, Slice } from '../contract.ts';
import { computeModel, viewOf } from '../model-view.ts';
import type { FinishedScenario } from '../verdicts.ts';
import { createLatestVerdicts } from '../verdicts.ts';
import { wrap } from './grid.ts';
import { layOut } from './layout.ts';
import { mermaidOf } from './mermaid.ts';
import { svgOf } from './svg.ts';

const at = '2026-01-01T10:00:00.000Z';
const view = (
  sources: Record<string, Parameters<typeof modelOf>[1]>,
  facts: FinishedScenario[] = [],
): EventModelView => {
  const stored = Object.entries(sources).map(([source, slices]) => ({
    source,
    pushedAt: at,
    descriptor: modelOf('W', slices),
  }));
  const verdicts = createLatestVerdicts();
  for (const fact of facts) verdicts.fold(fact);
  return viewOf(computeModel('W', stored), verdicts);
};
const one = (...slices: Slice[]) => view({ only: slices });
const wallets = (facts: FinishedScenario[] = []) => {
  const verdicts = createLatestVerdicts();
  for (const fact of facts) verdicts.fold(fact);
  const stored = [
    { source: 'host', pushedAt: at, descriptor: host },
    { source: 'specs', pushedAt: at, descriptor: specs },
  ];
  return viewOf(computeModel('Wallets', stored), verdicts);
};
const credited = (outcome: string, minute: number): FinishedScenario => ({
  runId: 'r',
  uid: 'Wallet/crediting adds funds',
  outcome,
  at: `2026-01-01T10:0${minute}:00.000Z`,
  arrivedAt: at,
});

describe('the layout', () => {
  test('has slices as columns in their order, lanes as rows, and cells from left to right', () => {
    const layout = layOut(
      one(
        sliceOf('B', { triggerLabel: 'UI', commandType: typeOf('C'), emittedEvents: [typeOf('E'), typeOf('F')] }),
        sliceOf('A', { readModelTypes: [typeOf('R')] }),
      ),
    );
    expect(layout.headers.map(({ slice, x, width }) => [slice.name, x, width])).toEqual([
      ['B', 156, 384],
      ['A', 596, 180],
    ]);
    expect(layout.rows.map(({ lane, y }) => [lane, y])).toEqual([
      ['Wireframe', 88],
      ['Command', 208],
      ['EventStream', 328],
      ['ReadModel', 448],
    ]);
    expect(layout.cards.map(({ label, x, y, width, height }) => [label, x, y, width, height])).toEqual([
      ['UI', 156, 88, 180, 72],
      ['C', 156, 208, 180, 72],
      ['E', 156, 328, 180, 72],
      ['F', 360, 328, 180, 72],
      ['R', 596, 448, 180, 72],
    ]);
    expect([layout.width, layout.height]).toEqual([788, 556]);
  });

  test('a line between two rows bends in the middle of the gap; one inside a row is straight', () => {
    const { lines } = layOut(
      one(sliceOf('S', { commandType: typeOf('C'), handlerType: typeOf('H'), emittedEvents: [typeOf('E')] })),
    );
    expect(lines.map(({ points }) => points)).toEqual([
      [
        [336, 244],
        [360, 244],
      ],
      [
        [450, 280],
        [450, 304],
        [246, 304],
        [246, 328],
      ],
    ]);
  });

  test('a long label widens its column up to a limit; a hotspot does not', () => {
    const width = (slice: Slice) => layOut(one(slice)).headers[0]?.width;
    expect(width(sliceOf('S', { commandType: typeOf('C'.repeat(60)) }))).toBe(236);
    expect(width(sliceOf('S', { commandType: typeOf('C'.repeat(300)) }))).toBe(320);
    const hotspot = {
      origin: 'Prose' as const,
      text: 'W'.repeat(300),
      specificationIdentity: null,
      role: null,
      winningClaim: null,
      losingClaim: null,
    };
    expect(width(sliceOf('S', { hotspots: [hotspot] }))).toBe(180);
  });

  test('with two or more aggregates, events have a row per aggregate and a last one for the others', () => {
    const rows = (slices: Slice[]) => layOut(one(...slices)).rows.filter(({ lane }) => lane === 'EventStream');
    const wallet = sliceOf('A', { aggregateTypes: [typeOf('Wallet')], emittedEvents: [typeOf('Opened')] });
    const inbox = sliceOf('B', { aggregateTypes: [typeOf('Inbox')], emittedEvents: [typeOf('Sent')] });
    const stray = sliceOf('C', { emittedEvents: [typeOf('Stray')] });
    expect(rows([wallet, stray]).map(({ label }) => label)).toEqual(['Events']);
    expect(rows([wallet, inbox]).map(({ label }) => label)).toEqual(['Wallet', 'Inbox']);
    expect(rows([wallet, inbox, stray]).map(({ label }) => label)).toEqual(['Wallet', 'Inbox', '']);
  });

  test('neighbours with one chapter share a band; the same chapter further right has another', () => {
    const slices = ['One', 'One', null, 'One'].map((chapter, index) => sliceOf(`S${index}`, { chapter }));
    expect(layOut(one(...slices)).bands.map(({ chapter, x, width }) => [chapter, x, width])).toEqual([
      ['One', 156, 416],
      ['One', 864, 180],
    ]);
  });

  test('links of one element share a track; links that would overlap do not', () => {
    const slices = [
      sliceOf('A', { emittedEvents: [typeOf('E'), typeOf('F')] }),
      sliceOf('B', { consumedEvents: [typeOf('E')] }),
      sliceOf('C', { consumedEvents: [typeOf('E'), typeOf('F')] }),
    ];
    const heights = layOut(one(...slices)).lines.map(({ points }) => points[1]?.[1]);
    expect(heights).toEqual([410, 410, 417]);
  });

  test('no two cards overlap and every line ends at a card', () => {
    const { cards, lines } = layOut(wallets());
    for (const [index, a] of cards.entries()) {
      for (const b of cards.slice(index + 1)) {
        expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y !== b.y).toBe(true);
      }
    }
    const touches = ([x, y]: readonly [number, number]) =>
      cards.some((each) => x >= each.x && x <= each.x + each.width && y >= each.y && y <= each.y + each.height);
    for (const { points } of lines) {
      expect(touches(points[0]!)).toBe(true);
      expect(touches(points.at(-1)!)).toBe(true);
    }
  });
});

test('a label breaks between words and never takes more than three lines', () => {
  expect(wrap('WalletBalanceProjectionHandler', 180)).toEqual(['WalletBalance', 'ProjectionHandler']);
  expect(wrap('one two three four five six seven', 100)).toHaveLength(3);
  expect(wrap('x'.repeat(500), 180).at(-1)).toMatch(/…$/);
  expect(wrap('', 180)).toEqual([]);
});

describe('the drawing', () => {
  test('of the same model and evidence is identical, byte for byte', () => {
    expect(svgOf(wallets([credited('Failed', 1)]))).toBe(svgOf(wallets([credited('Failed', 1)])));
    expect(mermaidOf(wallets())).toBe(mermaidOf(wallets()));
  });

  test('shows a slice as verified, failing and verified again as runs finish', () => {
    const header = (...facts: FinishedScenario[]) =>
      /CreditWallet: ([^<]*)<\/title>.*?stroke="(#\w+)"/s.exec(svgOf(wallets(facts)))?.slice(1);
    expect(header()).toEqual(['1 spec, no evidence', '#6B7686']);
    expect(header(credited('CleanPass', 1))).toEqual(['1 spec, verified', '#2E9E5B']);
    expect(header(credited('CleanPass', 1), credited('Failed', 2))).toEqual(['1 spec, failing', '#D64541']);
    expect(header(credited('Failed', 2), credited('CleanPass', 3))).toEqual(['1 spec, verified', '#2E9E5B']);
    expect(mermaidOf(wallets([credited('Failed', 2)]))).toContain('CreditWallet (1 spec, failing)');
  });

  const hostile = one(sliceOf('<script>&"', { triggerLabel: '"]; %%{init}%% `x` \u0000 end', chapter: '<b>' }));

  test('escapes markup in names: SVG', () => {
    const svg = svgOf(hostile);
    expect(svg).not.toMatch(/<script|<b>/);
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).not.toContain('\u0000');
    expect(svg).not.toMatch(/\sstyle=|<style|\son\w+=/);
  });

  test('escapes markup in names: Mermaid', () => {
    const text = mermaidOf(hostile);
    expect(text).toContain('n0["#34;]; #37;#37;#123;init#125;#37;#37; #96;x#96;');
    expect(text.match(/%%/g)).toHaveLength(1);
  });

  test('of a model without slices is still a board', () => {
    expect(svgOf(one())).toContain('Read models');
    expect(mermaidOf(one())).toContain('flowchart LR');
  });
});
