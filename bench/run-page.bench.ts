import type { Page } from 'playwright-core';
import { launch } from '../tests/browser/chromium.ts';
import { start } from '../tests/start.ts';
import { median } from './frames.ts';
import { longRun } from './long-run.ts';

// The page of a run in real Chromium on the real service: how soon 5,000 failures are drawn, how soon the panel of one
// opens, how soon a filter over 50,000 rows shows what it found, and how soon a list of 10,000 runs is drawn.
//   node bench/run-page.bench.ts [rounds=5]
const [rounds = 5] = process.argv.slice(2).map(Number);
const failures = 5_000;
const rows = 50_000;
const runs = Number(process.env.SIGNALBOX_RUNS ?? 10_000);

// Its clock is advanced by hand, because a sender may begin at most 1,000 runs per minute.
await using service = await start({ settings: { RetentionDays: '0', RetentionRuns: '0' } });

async function ingest(events: readonly object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 1000) {
    const { status, text } = await service.console('POST', '/api/ingest', { events: events.slice(from, from + 1000) });
    if (status !== 202) throw new Error(text);
  }
}

/** Failures as runners report them: compared objects, a stack, a code frame, some output. */
function* failingRun(): Iterable<object> {
  const at = '2026-11-15T10:00:00.000Z';
  const runId = 'failing';
  yield {
    type: 'run_started',
    runId,
    suite: 'Failing',
    repository: '/src/shop',
    startedAt: at,
    totalScenarios: failures,
  };
  for (let number = 0; number < failures; number += 1) {
    const file = `tests/feature-${number % 200}.test.ts`;
    const [feature, scenario] = [file, `orders > total of case ${number}`];
    const uid = `${file}/${scenario}`;
    const object = (total: number) => JSON.stringify({ id: number, lines: [1, 2, 3], total, currency: 'EUR' }, null, 2);
    const stack = Array.from({ length: 12 }, (_, line) => `    at call${line} (src/orders.ts:${line + 1}:7)`).join(
      '\n',
    );
    const message = `expected ${number} to deeply equal ${number + 1}`;
    yield { type: 'scenario_started', runId, uid, feature, scenario, attempt: 1, at, file, line: 9, order: number };
    yield {
      ...{
        type: 'scenario_finished',
        runId,
        uid,
        outcome: 'Failed',
        attempts: 1,
        durationMs: 11,
        errorMessage: message,
      },
      ...{ at, file, line: 9, rerun: `npx vitest run ${file} -t 'total of case ${number}'`, stdout: ['begin', 'end'] },
      errors: [
        {
          ...{ message, name: 'AssertionError', stack: `AssertionError: ${message}\n${stack}` },
          ...{ expected: object(number), actual: object(number + 1), place: { file, line: 12, column: 5 } },
          frame: {
            start: 8,
            lines: Array.from({ length: 9 }, (_, line) => `  const value${line} = compute(${line});`),
          },
        },
      ],
    };
  }
  yield { type: 'run_finished', runId, exitCode: 1, passed: 0, failed: failures, finishedAt: at };
}

/** Measures from the start of an action to the end of the first frame that paints its result. */
const untilPainted = (act: string, seen: string): string => `new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    if (!(${seen})) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => resolve(performance.now() - began);
    port1.postMessage(0);
  };
  ${act};
  requestAnimationFrame(look);
})`;

const drawn = (seen: string): string =>
  `new Promise((resolve) => { const look = () => (${seen}) ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look); look(); })`;

const press = (key: string) => `dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`;
const click = `document.querySelector('[role=grid] [role=row][aria-selected]').click()`;
const type = (text: string) => `
  const box = document.querySelector('input[aria-label="Filter scenarios"]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, '${text}');
  box.dispatchEvent(new Event('input', { bubbles: true }))`;
const rowCount = (count: number) =>
  `document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${count + 1}'`;

/** Wall time, and the CPU time of the page's own thread, which is meaningful on a busy machine too. */
type Taken = { ms: number; workMs: number };

async function meter(page: Page): Promise<(act: () => Promise<unknown>) => Promise<Taken>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  return async (act) => {
    const before = await worked();
    const ms = (await act()) as number;
    const after = await worked();
    // After a navigation into another process, counting starts again.
    return { ms, workMs: after < before ? after : after - before };
  };
}

await ingest([...failingRun()]);
await ingest([...longRun(rows)]);
for (let from = 0; from < runs; from += 100) {
  if (from % 1000 === 0) service.clock.advance(61_000);
  await ingest(
    Array.from({ length: 100 }, (_, step) => from + step).flatMap((number) => {
      const startedAt = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
      const finishedAt = new Date(Date.UTC(2026, 0, 1) + number * 60_000 + 5_000).toISOString();
      const runId = `run-${number}`;
      return [
        {
          type: 'run_started',
          runId,
          suite: `suite ${number % 12}`,
          repository: '/src/shop',
          branch: 'main',
          startedAt,
        },
        { type: 'scenario_started', runId, uid: 'a/b', attempt: 1, at: startedAt },
        { type: 'scenario_finished', runId, uid: 'a/b', outcome: number % 9 ? 'CleanPass' : 'Failed', attempts: 1 },
        { type: 'run_finished', runId, exitCode: number % 9 ? 0 : 1, finishedAt },
      ];
    }),
  );
}

const browser = await launch();
const times = new Map<string, Taken[]>();
const note = (name: string, taken: Taken) => times.set(name, [...(times.get(name) ?? []), taken]);

async function round(): Promise<void> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${service.url}/event-model`);
  await page.locator('h1, h2').first().waitFor();
  const taken = await meter(page);
  const open = (path: string, seen: string) =>
    taken(async () => {
      await page.goto(service.url + path, { waitUntil: 'commit' });
      return page.evaluate(drawn(seen));
    });
  const act = (what: string, seen: string) => taken(() => page.evaluate(untilPainted(what, seen)));
  const panel = `document.querySelector('aside [role=group][aria-label=Difference]')`;
  note('a run of 5,000 failures is drawn (1,500)', await open('/runs/failing', rowCount(failures)));
  await page.waitForTimeout(500);
  note('the panel of a failure opens (50)', await act(click, panel));
  note('all of it is there, after that', await act('', `document.querySelector('aside select')`));
  note('the next failure is shown', await act(`const was = ${panel}; ${press('n')}`, `${panel} && ${panel} !== was`));
  note('a run of 50,000 scenarios is drawn', await open('/runs/long', rowCount(rows)));
  await page.waitForTimeout(500);
  note('a filter over them shows what it found', await act(type('status:failed'), rowCount(rows / 10)));
  note(
    `the newest 100 of ${runs} runs are drawn`,
    await open('/runs', `document.querySelectorAll('li[data-run]').length === 100`),
  );
  note('their 14 suites are drawn', await open('/runs?by=suite', `document.querySelectorAll('main h2').length === 14`));
  await page.context().close();
}

const list = (values: readonly number[]) => values.map((ms) => Math.round(ms)).sort((a, b) => a - b);
try {
  for (let number = 0; number < rounds; number += 1) await round();
  for (const [name, taken] of times) {
    const [ms, work] = [list(taken.map((one) => one.ms)), list(taken.map((one) => one.workMs))];
    console.log(
      `${name}: ${median(ms)} ms (${ms.join(', ')}), of which the page worked ${median(work)} (${work.join(', ')})`,
    );
  }
} finally {
  await browser.close();
}
