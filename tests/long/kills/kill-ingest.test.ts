import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunDetail } from '../../../packages/service/src/console/runs/contract.ts';
import { foldEvent } from '../../../packages/service/src/console/runs/fold.ts';
import { readEvent } from '../../../packages/service/src/console/runs/read-event.ts';
import { newRun } from '../../../packages/service/src/console/runs/run.ts';
import { detailOf } from '../../../packages/service/src/console/runs/run-views.ts';
import { withoutStamps } from '../../recorded-run.ts';
import { recordFigure, rounds } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';
import { verifies } from '../../verifies.ts';

const many = rounds(5, 200);
const runsInAll = 1000;
const publishers = 8;

type Sent = { runId: string; uid: string };

/** Publishes until the process dies; remembers what was answered with 202. */
async function publish(url: string, round: number, publisher: number, answered: Sent[]): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const runId = `run-${(round * 131 + publisher * 17 + turn) % runsInAll}`;
    const uids = Array.from({ length: 5 }, (_, index) => `Round ${round}/${publisher}-${turn}-${index}`);
    const events = uids.flatMap((uid) => [
      { type: 'scenario_started', runId, uid, attempt: 1, at: '2026-11-15T10:00:00Z' },
      { type: 'scenario_finished', runId, uid, outcome: 'CleanPass', attempts: 1, durationMs: turn },
    ]);
    try {
      const answer = await fetch(`${url}/api/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      });
      if (answer.status === 202) answered.push(...uids.map((uid) => ({ runId, uid })));
    } catch {
      return;
    }
  }
}

/** The content of a run according to its archive alone. */
async function folded(path: string, runId: string) {
  const run = newRun(runId);
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    try {
      const taken = readEvent(JSON.parse(line));
      if (typeof taken !== 'string' && taken.event) foldEvent(run, taken.event);
    } catch {
      // A torn line does not count.
    }
  }
  return run;
}

verifies(
  ['ingest:flushed-before-202'],
  `nothing that was answered is lost to SIGKILL, in ${many} rounds`,
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-kill-'));
    const answered: Sent[] = [];
    try {
      for (let round = 0; round < many; round += 1) {
        await using service = await startedProcess({ Service__RetentionRuns: '0' }, [], home);
        const fresh: Sent[] = [];
        const publishing = Array.from({ length: publishers }, (_, one) =>
          publish(service.consoleUrl, round, one, fresh),
        );
        const enough = 40 + Math.floor(Math.random() * 400);
        while (fresh.length < enough) await new Promise((resolve) => setImmediate(resolve));
        service.child.kill('SIGKILL');
        await Promise.all(publishing);
        await service.ended;
        answered.push(...fresh);
      }
      await using service = await startedProcess({ Service__RetentionRuns: '0' }, [], home);
      const runIds = [...new Set(answered.map(({ runId }) => runId))];
      const served = new Map<string, Set<string>>();
      const folder = join(home, '.signalbox', 'runs');
      for (const runId of runIds) {
        const detail = (await (await fetch(`${service.consoleUrl}/api/runs/${runId}`)).json()) as RunDetail;
        served.set(runId, new Set(detail.scenarios.map(({ uid }) => uid)));
        const run = await folded(join(folder, `${runId}.ndjson`), runId);
        expect(detail).toEqual(JSON.parse(JSON.stringify(detailOf(run, detail.run, () => null))));
      }
      expect(answered.filter(({ runId, uid }) => !served.get(runId)?.has(uid))).toEqual([]);
      const listed = (await (await fetch(`${service.consoleUrl}/api/runs`)).json()) as unknown[];
      // A file that was created but still empty when the process died is not a run.
      const archives = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'));
      const texts = await Promise.all(archives.map((name) => readFile(join(folder, name), 'utf8')));
      expect(listed.length).toBe(texts.filter((text) => withoutStamps(text).includes('\n')).length);
      recordFigure('R13', `${many} kills, ${answered.length} answered events in ${runIds.length} runs, none lost`);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
  60_000 + many * 20_000,
);
