import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Release, writeYear, type Year } from '../../../bench/year.ts';
import { asServedNow, lasting } from '../../golden/served.ts';
import { isLong, recordFigure } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';
import { startRelease, whyMissing } from './releases.ts';

const settings = {
  Service__HostName: 'year',
  Service__RetentionDays: '0',
  Service__RetentionRuns: '0',
  Service__UpgradeBackup: 'false',
};

/** Everything that is stored about a year. Of the runs, every export, and all other reads for every tenth run. */
function asksOf({ plans, repositories, runs }: Year): string[] {
  const ofPlan = (plan: string) =>
    ['', '/status', '/history?limit=1000', '/document'].map((end) => `/api/plans/${plan}${end}`);
  const ofRun = (run: string, index: number) => [
    `/api/runs/${run}/export?format=ndjson`,
    ...(index % 10 === 0
      ? ['', '/export?format=junit', '/export?format=ctrf'].map((end) => `/api/runs/${run}${end}`)
      : []),
  ];
  return [
    ...[
      '/api/plans',
      '/api/plans?archived=true',
      '/api/plans/ready',
      '/api/repositories',
      '/api/memory?q=cents',
      '/api/licence',
    ],
    ...['/api/event-model', '/api/event-model/coverage', '/api/runs'],
    ...plans.flatMap(ofPlan),
    ...repositories.map((name) => `/api/repositories/${name}`),
    ...runs.flatMap(ofRun),
  ];
}

async function answersOf(url: string, asks: readonly string[]): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const ask of asks) {
    const response = await fetch(url + ask);
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    answers.set(ask, { status: response.status, body: isJson ? comparable(ask, JSON.parse(text)) : text });
  }
  return answers;
}

/**
 * Evidence is checked again at every start, the expected duration of a test is an estimate, and equally good search
 * results may come in any order.
 */
function comparable(ask: string, body: unknown): unknown {
  const kept = JSON.parse(
    JSON.stringify(lasting(body), (key, value) => {
      if (key === 'expectedMs') return undefined;
      if (key !== 'evidence' || value === null) return value;
      const { detail, observedAt, ...evidence } = value;
      return evidence;
    }),
  );
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  return ask.startsWith('/api/memory') ? kept.sort(byId) : kept;
}

/** The places where the current answer lacks something, or differs. A member may be added. */
function* differences(before: unknown, after: unknown, at: string): Iterable<string> {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) {
    if (!Object.is(before, after))
      yield `${at}: ${JSON.stringify(before)?.slice(0, 200)} -> ${JSON.stringify(after)?.slice(0, 200)}`;
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
    yield `${at}: ${before.length} -> ${after.length} items`;
  for (const [name, value] of Object.entries(before)) yield* differences(value, after[name as never], `${at}.${name}`);
}

/** After a start, runs are read, counted and examined as evidence in the background. */
async function settled(url: string, { runs, failedNodes }: Year): Promise<void> {
  const ask = async (path: string) => (await fetch(url + path)).json();
  const counted = async () =>
    ((await ask('/api/runs')) as { counted?: boolean }[]).filter((run) => run.counted !== false).length;
  const failed = async () =>
    ((await ask('/api/plans')) as { counts: { failed: number } }[]).reduce((sum, { counts }) => sum + counts.failed, 0);
  await expect.poll(counted, { timeout: 300_000, interval: 500 }).toBe(runs.length);
  await expect.poll(failed, { timeout: 300_000, interval: 500 }).toBe(failedNodes);
}

for (const release of ['0.1.0', '0.2.0'] as const satisfies Release[]) {
  const missing = whyMissing(release);
  test.skipIf(missing !== null)(
    `a year of ${release} is served after the upgrade as that release served it`,
    { timeout: 1_800_000 },
    async () => {
      const home = mkdtempSync(join(tmpdir(), 'signalbox-year-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      const year = writeYear(release, join(home, '.signalbox'), isLong ? 'whole' : 'small');
      const asks = asksOf(year);
      const env = { ...settings, HOME: home };
      const old = await startRelease(release, env);
      await settled(old.url, year);
      const before = await answersOf(old.url, asks);
      await old.stop();

      const began = performance.now();
      await using upgraded = await startedProcess(env, [], home);
      const listeningMs = performance.now() - began;
      await settled(upgraded.url, year);
      const after = await answersOf(upgraded.url, asks);
      const served = JSON.parse(JSON.stringify(Object.fromEntries(before)), asServedNow);
      const found = asks.flatMap((ask) => [...differences(served[ask], after.get(ask), ask)]);
      expect(found.slice(0, 30)).toEqual([]);
      for (const run of year.runs)
        expect(after.get(`/api/runs/${run}/export?format=ndjson`)).toEqual({ status: 200, body: year.sent.get(run) });
      expect(upgraded.err() + upgraded.out()).toMatch(
        release === '0.1.0' ? /"from":1,"step":3,"to":3/ : /listening|coordination/,
      );
      const seconds = (listeningMs / 1000).toFixed(1);
      recordFigure(
        'R25',
        `a year of ${release}: ${year.events} events, ${year.runs.length} runs, ${asks.length} answers compared, listening after ${seconds} s`,
      );
    },
  );
}
