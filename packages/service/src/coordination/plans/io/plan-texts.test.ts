import { expect, test } from 'vitest';
import { documentFrom } from '../document-input.ts';
import { createPlanTexts } from './plan-texts.ts';

const nodes = (count: number) =>
  Array.from({ length: count }, (_, node) => `  - id: n${node}\n    title: Node ${node}\n`);

test('a long text is read as it is read here, while this thread goes on', async () => {
  const text = `plan: long\nnodes:\n${nodes(2000).join('')}`;
  let over = false;
  const reading = createPlanTexts()
    .read(text)
    .finally(() => {
      over = true;
    });
  let turns = 0;
  while (!over) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await reading).toEqual(documentFrom(text));
  expect(turns).toBeGreaterThan(100);
});

test('texts are read in the order they came, each with its own answer', async () => {
  const texts = createPlanTexts();
  const read = await Promise.all([texts.read('nodes:\n  - idd: a\n'), texts.read('plan: b\n')]);
  expect(read).toEqual([documentFrom('nodes:\n  - idd: a\n'), { plan: 'b' }]);
  expect(read[0]).toMatchObject([{ path: 'nodes[0].id' }, { path: 'nodes[0].idd' }]);
});

test('a text that takes too much memory is a fault with the next step', async () => {
  const texts = createPlanTexts({ megabytes: 64, ms: () => 600_000 });
  const text = `nodes:\n${'- id: a\n'.repeat(100_000)}`;
  expect(await texts.read(text)).toEqual([{ path: '', message: expect.stringContaining('send it as JSON') }]);
});

test('of a text with very many faults the first ones are reported', async () => {
  const texts = createPlanTexts({ megabytes: 256, ms: () => 600_000 });
  const read = await texts.read('id: .'.repeat(200_000));
  expect(read).toContainEqual({
    path: '',
    message: expect.stringMatching(/^Nested mappings .*\(line 1, column \d+\)/),
  });
  expect(read).toContainEqual({ path: '', message: expect.stringMatching(/^and \d+ more/) });
});

test('a text that takes too long is a fault with the next step, and the next text is read', async () => {
  const long = 'nodes: []\n'.repeat(50_000);
  const texts = createPlanTexts({ ms: ({ length }) => (length > 1_000 ? 1 : 60_000) });
  const message = expect.stringMatching(/takes too long .* send it as JSON/);
  const [slow, file, quick] = await Promise.all([texts.read(long), texts.readFile(long, []), texts.read('plan: b\n')]);
  expect(slow).toEqual([{ path: '', message }]);
  expect(file).toEqual({ faults: [{ path: '', message, line: 1, column: 1 }] });
  expect(quick).toEqual({ plan: 'b' });
});
