import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Slice } from '../packages/event-model/src/contract.ts';
import { coverageOf } from '../packages/event-model/src/coverage.ts';
import { svgOf } from '../packages/event-model/src/diagram/svg.ts';
import { sourceFiles } from '../packages/event-model/src/io/source-files.ts';
import { computeModel, createModelComputation, viewOf } from '../packages/event-model/src/model-view.ts';
import { openSources } from '../packages/event-model/src/sources.ts';
import { createLatestVerdicts } from '../packages/event-model/src/verdicts.ts';
import { modelOf, sliceOf, typeOf } from '../packages/event-model/testing/wallets.ts';
import { runNow } from '../packages/service/src/event-loop/task.ts';

// A model of 500 slices from 20 sources: what a GET costs once merged, what the first GET after a push costs, what a
// durable push costs, and whether memory grows over 1,000 pushes. Run with: node --expose-gc bench/event-model.bench.ts
const sliceCount = 500;
const sourceCount = 20;
const pushes = 1000;

/** Each slice is in its own source and in a second one with different claims. */
const sliceAt = (index: number, second: boolean): Slice =>
  sliceOf(`Slice ${index}`, {
    domain: `Domain ${index % 8}`,
    chapter: second ? null : `Chapter ${Math.floor(index / 25)}`,
    pattern: 'Command',
    commandType: typeOf(`Do${index}`),
    handlerType: second ? typeOf(`Do${index}Handler`) : null,
    aggregateTypes: [typeOf(`Aggregate${index % 12}`)],
    emittedEvents: [typeOf(`Done${index}`), typeOf(`Audited${index}`)],
    consumedEvents: [typeOf(`Done${(index + 1) % sliceCount}`), typeOf(`Audited${(index * 7) % sliceCount}`)],
    readModelTypes: [typeOf(`View${index % 40}`)],
    specifications: second ? [{ identity: `Feature ${index % 30}/scenario ${index}`, resolvedTypes: [] }] : [],
    provenance: second ? 'Observed' : 'Declared',
  });

const sources = Array.from({ length: sourceCount }, (_, source) => {
  const own = Array.from({ length: sliceCount }, (_each, index) => index).filter(
    (index) => index % sourceCount === source,
  );
  const others = own.map((index) => (index + 1) % sliceCount);
  const slices = [...own.map((index) => sliceAt(index, false)), ...others.map((index) => sliceAt(index, true))];
  return { source: `source-${source}`, pushedAt: '2026-01-01T00:00:00.000Z', descriptor: modelOf('Bench', slices) };
});

const verdicts = createLatestVerdicts();
for (let index = 0; index < sliceCount; index += 1) {
  const touchedTypes = [typeOf(`Do${index}`), typeOf(`Done${index}`), typeOf(`Hidden${index % 50}`)];
  const at = '2026-01-01T10:00:00.000Z';
  const outcome = index % 9 === 0 ? 'Failed' : 'CleanPass';
  verdicts.fold({
    runId: 'r',
    uid: `Feature ${index % 30}/scenario ${index}`,
    outcome,
    at,
    arrivedAt: at,
    touchedTypes,
  });
}

/** Wall and CPU time: on a machine that others use too, only the second compares. */
function median(times: number, work: () => unknown): string {
  const took: { wall: number; cpu: number }[] = [];
  for (let round = 0; round < times; round += 1) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(before);
    took.push({ wall: performance.now() - start, cpu: (user + system) / 1000 });
  }
  const middle = (values: number[]) => (values.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0).toFixed(1);
  return `median ${middle(took.map(({ wall }) => wall))} ms, CPU ${middle(took.map(({ cpu }) => cpu))} ms`;
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const { sources: held } = await openSources(sourceFiles(join(folder, 'event-models'), () => undefined));
for (const source of sources) await held.push(source);
const current = held.current();
if (!current) throw new Error('nothing was pushed');

const bytes = JSON.stringify(viewOf(current, verdicts)).length;
const say = (what: string, result: string) => process.stdout.write(`${what.padEnd(48)} ${result}\n`);
say('model', `${current.model.slices.length} slices, ${current.links.length} links, ${bytes} bytes served`);
say(
  'GET (evidence joined, written as JSON)',
  median(100, () => JSON.stringify(viewOf(current, verdicts))),
);
const computing = createModelComputation();
let changed = 0;
say(
  'first GET after a push (one source merged anew)',
  median(100, () => {
    const at = changed++ % sourceCount;
    const pushed = sources.map((each, index) => (index === at ? structuredClone(each) : each));
    return JSON.stringify(viewOf(runNow(computing('Bench', pushed)), verdicts));
  }),
);
say(
  'first GET after a restart (all merged anew)',
  median(50, () => JSON.stringify(viewOf(computeModel('Bench', sources), verdicts))),
);
say(
  'GET coverage',
  median(50, () => JSON.stringify(coverageOf(current.model, verdicts))),
);
say(
  'GET diagram as SVG',
  median(20, () => svgOf(viewOf(current, verdicts))),
);

const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};
const before = heap();
const start = performance.now();
for (let index = 0; index < pushes; index += 1) {
  const source = sources[index % sourceCount];
  if (source) await held.push({ ...source, descriptor: structuredClone(source.descriptor) });
  held.current();
}
const each = (performance.now() - start) / pushes;
say(`${pushes} durable pushes, each merged and read`, `${each.toFixed(1)} ms each`);
say('heap before and after them', `${before.toFixed(1)} MB, ${heap().toFixed(1)} MB`);
rmSync(folder, { recursive: true });
