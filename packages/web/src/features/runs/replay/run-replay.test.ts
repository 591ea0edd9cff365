import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunDetail } from '../../../live/wire.ts';
import { LiveRun, parseNdjson } from '../live-run.ts';
import { RunReplay, timedEvents } from './run-replay.ts';

const archive = join(import.meta.dirname, '../../../../../../tests/fixtures/archives/bobcat-supervised.ndjson');
const events = parseNdjson(readFileSync(archive, 'utf8'));
const serviceSummary = {
  runId: '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f',
  host: 'here',
  orphaned: false,
  expectedMs: null,
};
const empty = {
  run: { ...serviceSummary, repositoryName: null, lastEventAt: null },
  scenarios: [],
} as unknown as RunDetail;
const start = Date.parse('2026-11-15T10:00:00.000Z');

function whole(): RunDetail {
  const live = new LiveRun(empty);
  live.apply(events);
  return live.detail();
}

test('at its end a replay is the run itself, and before its start there is nothing', () => {
  const replay = new RunReplay(events, empty);
  expect(replay.at(start + 3_600_000)).toEqual(whole());
  expect(replay.at(start - 1).scenarios).toEqual([]);
  expect(replay.at(start + 3_600_000)).toEqual(whole());
});

test('in between it shows what was known then: what had ended, what was under way, and no more', () => {
  const replay = new RunReplay(events, empty);
  const then = replay.at(start + 20_000);
  expect(then.run).toMatchObject({ state: 'running', finishedAt: null });
  expect(then.run.scenariosFinished).toBeGreaterThan(0);
  expect(then.run.scenariosFinished).toBeLessThan(whole().run.scenariosFinished);
  expect(then.stalls).toEqual([]);
  expect(replay.at(start + 31_000).stalls).toHaveLength(1);
});

test('however one gets to a moment, forward or back, it is the same', () => {
  const direct = new RunReplay(events, empty).at(start + 400);
  const replay = new RunReplay(events, empty);
  for (const t of [31_500, 200, 50, 31_900]) replay.at(start + t);
  expect(replay.at(start + 400)).toEqual(direct);
});

test('an event without a time of its own counts with the one before it, and none goes back in time', () => {
  const times = timedEvents([
    { type: 'run_started', runId: 'r', startedAt: '2026-01-01T00:00:01.000Z' },
    { type: 'step_started', runId: 'r', uid: 'A/a' },
    { type: 'run_heartbeat', runId: 'r', at: '2026-01-01T00:00:05.000Z' },
    { type: 'scenario_started', runId: 'r', uid: 'A/a', at: '2026-01-01T00:00:02.000Z' },
  ]).map(({ t }) => new Date(t).getUTCSeconds());
  expect(times).toEqual([1, 1, 5, 5]);
});
