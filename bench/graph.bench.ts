import type { Page } from 'playwright-core';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { layeredLayout } from '../packages/web/src/features/plans/graph/layout.ts';
import { launch } from '../tests/browser/chromium.ts';
import { type Started, start } from '../tests/start.ts';
import { countFrames, describeFrames, type Frames, median, p95, pan, watch } from './frames.ts';
import { seeded } from './shapes.ts';

// The plan graph in real Chromium on the real service: first draw, panning while statuses change, change to paint.
//   node bench/graph.bench.ts [nodes=2000] [rounds=3]
const [size = 2000, rounds = 3] = process.argv.slice(2).map(Number);
const perLayer = 50;
const random = seeded(7);
const idOf = (index: number) => `n${index}`;

const nodes = Array.from({ length: size }, (_, index) => ({
  id: idOf(index),
  title: `Work item number ${index}`,
  labels: [`area-${index % 9}`],
  binding: { kind: 'signOff' },
  dependsOn:
    index < perLayer
      ? []
      : [...new Set([0, 1].slice(random() < 0.6 ? 1 : 0).map(() => earlier(index, random)))].map(idOf),
}));

function earlier(index: number, dice: () => number): number {
  const column = index % perLayer;
  const near = Math.max(0, Math.min(perLayer - 1, column + Math.floor(dice() * 7) - 3));
  return (Math.floor(index / perLayer) - 1) * perLayer + near;
}

const views = {
  'at 1:1': `?node=${idOf(Math.floor(size / 2))}&fold=0&group=none`,
  whole: '?fold=0&group=none',
} as const;

async function firstDraw(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'commit' });
  return Number(await page.evaluate('window.drawn'));
}

/** Ten changes of status a second, each by a claim or its release. */
function changing(service: Started, targets: readonly string[]): () => Promise<void> {
  let turn = 0;
  let going = true;
  const loop = (async () => {
    while (going) {
      const began = Date.now();
      await change(service, targets[turn % targets.length] ?? '', Math.floor(turn / targets.length) % 2 === 0);
      turn += 1;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 100 - (Date.now() - began))));
    }
  })();
  return async () => {
    going = false;
    await loop;
  };
}

async function change(service: Started, id: string, claim: boolean): Promise<void> {
  const path = `/api/plans/big/nodes/${id}/${claim ? 'claim' : 'release'}`;
  const { status, text } = await service.call('POST', path, { agent: 'bench' });
  if (status !== 200) throw new Error(text);
}

async function toPaint(service: Started, page: Page, id: string): Promise<number[]> {
  const took: number[] = [];
  await change(service, id, false);
  for (let round = 0; round < 40; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 120 + (round % 7) * 20));
    await page.evaluate(`window.expectPaint(${JSON.stringify(id)})`);
    const began = Date.now();
    await change(service, id, round % 2 === 0);
    took.push(Number(await page.evaluate('window.paintedAt()')) - began);
  }
  return took;
}

await using service = await start({ clock: systemClock });
const made = await service.call('PUT', '/api/plans/big?by=bench', { title: 'Big', nodes });
if (made.status !== 201) throw new Error(made.text);
const edges = nodes.flatMap(({ id, dependsOn }) => dependsOn.map((from) => [from, id] as const));
const laid = Array.from({ length: 5 }, () => {
  const began = performance.now();
  layeredLayout({ ids: nodes.map(({ id }) => id), edges });
  return performance.now() - began;
});
console.log(`${size} nodes, ${edges.length} edges: laid out in ${median(laid).toFixed(0)} ms (300 allowed)`);

const browser = await launch();
try {
  for (const [name, query] of Object.entries(views)) {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.addInitScript(watch);
    const draws: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      draws.push(await firstDraw(page, `${service.url}/plans/big${query}`));
    await page.getByText('Live', { exact: true }).waitFor();
    // A large plan opens at what can be worked on.
    if (name === 'whole') await page.getByRole('button', { name: 'The whole plan' }).click();
    const middle = Math.floor(size / 2);
    const stop = changing(
      service,
      [0, 1, 2, 3, 4, 5, 6].map((step) => idOf(middle + step)),
    );
    const frames: Frames[] = [];
    for (let round = 0; round < rounds; round += 1) frames.push(await countFrames(page, pan));
    const idle = await countFrames(page, '');
    await stop();
    const paints = await toPaint(service, page, idOf(middle));
    const limit = name === 'whole' ? [2200, 150] : [1500, 100];
    console.log(
      `${name}: first draw ${median(draws).toFixed(0)} ms (${limit[0]}), panning with 10 changes/s ${describeFrames(frames)}, idle ${describeFrames([idle])}, ` +
        `change to paint ${median(paints).toFixed(0)} ms, p95 ${p95(paints).toFixed(0)} ms (${limit[1]})`,
    );
    await page.context().close();
  }
} finally {
  await browser.close();
}
