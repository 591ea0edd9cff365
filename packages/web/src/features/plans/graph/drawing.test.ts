import { expect, test } from 'vitest';
import type { NodeView } from '../../../live/wire.ts';
import { createDrawing } from './drawing.ts';

const node = (ref: string, ...needs: string[]): NodeView => {
  const [plan = '', id = ''] = ref.split('/');
  const dependsOn = needs.map((need) => ({ ref: need, status: null, done: false, missing: false }));
  return { plan, id, ref, title: id, status: 'blocked', labels: [], dependsOn } as unknown as NodeView;
};
const nodes = [node('sdk/api'), node('shop/lexer'), node('shop/totals', 'shop/lexer', 'sdk/api')];
const crossing = (names: 'id' | 'ref', own: readonly NodeView[], groups: readonly (string | null)[]) =>
  [...createDrawing(names)(own, groups, []).graph.crossing].sort();
const none = [null, null, null];

test('a need across plans is told apart, whether the other plan is drawn too, folded, or not there', () => {
  expect(crossing('ref', nodes, none)).toEqual(['sdk/api>shop/totals']);
  expect(crossing('ref', nodes, ['sdk', 'shop', 'shop'])).toEqual(['sdk/api>#shop']);
  expect(crossing('id', nodes.slice(1), none)).toEqual(['sdk/api>totals']);
});

test('a plan is one card with its own title, even of a single node, and its cards count all nodes', () => {
  const titles = new Map([
    ['sdk', 'Partner SDK'],
    ['shop', 'Checkout 2.0'],
  ]);
  const { shapes } = createDrawing('ref')(nodes, ['sdk', 'shop', 'shop'], [], titles);
  expect([...shapes.values()].map((shape) => [shape.kind, shape.title, shape.kind === 'group' && shape.count])).toEqual(
    [
      ['group', 'Partner SDK', 1],
      ['group', 'Checkout 2.0', 2],
    ],
  );
});
