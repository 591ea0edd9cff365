import { ctrfOf } from '../packages/service/src/console/runs/export-ctrf.ts';
import { junitOf } from '../packages/service/src/console/runs/export-junit.ts';
import { inChunks, jsonWithList } from '../packages/service/src/console/runs/export-stream.ts';
import { foldEvent } from '../packages/service/src/console/runs/fold.ts';
import { readEvent } from '../packages/service/src/console/runs/read-event.ts';
import { newRun } from '../packages/service/src/console/runs/run.ts';
import {
  detailOf,
  detailWithoutScenarios,
  headlineOf,
  scenarioView,
  sortedScenarios,
  summaryOf,
} from '../packages/service/src/console/runs/run-views.ts';
import { createTimeBudget } from '../packages/service/src/event-loop/cooperative.ts';
import { longRun } from './long-run.ts';

// Exports of 50,000 scenarios, streamed and giving way, against the same text made in one go. Rounds interleaved.
const run = newRun('long');
for (const event of longRun(50_000)) {
  const taken = readEvent(event);
  if (typeof taken !== 'string' && taken.event) foldEvent(run, taken.event);
}
const summaryContext = { host: 'here', orphaned: false, repositoryName: null, lastEventAt: null, expectedMs: null };
const summary = summaryOf(headlineOf(run), summaryContext);
const none = () => null;
const views = function* () {
  for (const scenario of sortedScenarios(run)) yield scenarioView(scenario, none);
};
// The straightforward way: the whole object with one JSON.stringify; for XML one string.
const ctrfText = () => JSON.stringify(JSON.parse([...ctrfOf(run, summary, '0')].join('')));
const ctrfObject: unknown = JSON.parse(ctrfText());
const cases: Record<string, { streamed: () => Iterable<string>; whole: () => string }> = {
  ctrf: { streamed: () => ctrfOf(run, summary, '0'), whole: () => JSON.stringify(structuredClone(ctrfObject)) },
  junit: { streamed: () => junitOf(run, summary), whole: () => [...junitOf(run, summary)].join('') },
  detail: {
    streamed: () => jsonWithList({ run: summary, ...detailWithoutScenarios(run, summary) }, 'scenarios', views()),
    whole: () => JSON.stringify(detailOf(run, summary, none)),
  },
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
for (const [name, { streamed, whole }] of Object.entries(cases)) {
  const times = { streamed: [] as number[], whole: [] as number[] };
  let bytes = 0;
  for (let round = 0; round < 6; round += 1) {
    let start = performance.now();
    bytes = whole().length;
    times.whole.push(performance.now() - start);
    start = performance.now();
    let length = 0;
    for await (const chunk of inChunks(streamed(), createTimeBudget())) length += chunk.length;
    times.streamed.push(performance.now() - start);
    if (name !== 'ctrf' && length !== bytes) throw new Error(`${name}: ${length} is not ${bytes}`);
  }
  const [one, other] = [median(times.streamed.slice(1)), median(times.whole.slice(1))];
  process.stdout.write(
    `${name}: ${(bytes / 1e6).toFixed(1)} MB, streamed ${one.toFixed(0)} ms, in one go ${other.toFixed(0)} ms, ratio ${(one / other).toFixed(2)}\n`,
  );
}
process.stdout.write(`peak memory of the process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
