import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { openArchive } from '../../packages/service/src/console/runs/io/archive.ts';
import { archiveEnds } from '../../packages/service/src/console/runs/io/archive-ends.ts';
import { openHistoryFiles } from '../../packages/service/src/console/runs/io/history-files.ts';
import { joinLines } from '../../packages/service/src/console/runs/io/join-lines.ts';
import { splitBatch } from '../../packages/service/src/console/runs/io/split-batch.ts';
import { memoryForRuns } from '../../packages/service/src/console/runs/runs-in-memory.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { localSender } from '../samples.ts';

const line = (runId: string, type: string, more: object = {}) => `${JSON.stringify({ type, runId, ...more })}\n`;
const started = (runId: string) => line(runId, 'run_started', { suite: 'Long', totalScenarios: 4 });
const finished = (runId: string) =>
  line(runId, 'run_finished', { exitCode: 0, passed: 3, failed: 1, finishedAt: null });
const scenario = (runId: string, uid: string) =>
  line(runId, 'scenario_finished', { uid, outcome: 'CleanPass', attempts: 1 });
const stamp = (runId: string) => line(runId, 'console_stamp', { receivedAt: '2026-11-17T08:00:00Z', trust: 'local' });
const filler = (runId: string, bytes: number) =>
  line(runId, 'log', { text: 'x'.repeat(1000) }).repeat(Math.ceil(bytes / 1000));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-boot-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reading an archive whole takes as long as this is told to. */
async function booted(folder: string) {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const runs = createConsoleRuns({
    archive: await openArchive(folder),
    history: await openHistoryFiles(join(folder, 'history')),
    clock: createSettableClock(),
    timeBudget: () => ({ isSpent: () => true, pause: () => gate }),
    split: splitBatch,
    lines: joinLines,
    repositoryNames: async () => null,
    host: 'here',
    memory: memoryForRuns(1e9),
    policies: { orphanSeconds: 60, retentionDays: 0, retentionRuns: 0, maxRuns: 20_000, attachmentsMb: 50 },
    warn: () => undefined,
  });
  const board = () =>
    runs.registry.all().map((entry) => {
      const { runId, state, passed, scenarios, lost, counted } = runs.summaries.of(entry);
      return [runId, state, passed, scenarios, lost, counted];
    });
  return { runs, board, open };
}

test('archives without an index are listed with their state before they are read whole, and counted after', () =>
  inFolder(async (folder) => {
    const write = (runId: string, text: string) => writeFile(join(folder, `${runId}.ndjson`), text);
    await write('ended', started('ended') + scenario('ended', 'A/a') + finished('ended'));
    await write('long', started('long') + filler('long', 300_000) + scenario('long', 'A/a') + finished('long'));
    await write('late', started('late') + filler('late', 200_000) + finished('late') + filler('late', 1_500_000));
    await write('lost', started('lost') + scenario('lost', 'A/a') + filler('lost', 200_000));
    await write(
      'torn',
      `{"type":"run_st\n${started('torn')}${scenario('torn', 'A/a')}${finished('torn').slice(0, -9)}`,
    );
    await write('empty', '');
    await write('garbage', '\u0000\u0001 nothing\n');
    const { runs, board, open } = await booted(folder);
    await runs.ready;
    expect(board().sort()).toEqual([
      ['ended', 'finished', 3, 4, 0, false],
      ['late', 'finished', 3, 4, 0, false],
      ['long', 'finished', 3, 4, 0, false],
      ['lost', 'orphaned', 0, 0, 4, false],
      ['torn', 'orphaned', 0, 0, 4, false],
    ]);
    open();
    await runs.counted;
    expect(board().sort()).toEqual([
      ['ended', 'finished', 3, 1, 3, true],
      ['late', 'finished', 3, 0, 4, true],
      ['long', 'finished', 3, 1, 3, true],
      ['lost', 'orphaned', 1, 1, 3, true],
      ['torn', 'orphaned', 1, 1, 3, true],
    ]);
    await runs.stop();
    const again = await booted(folder);
    await again.runs.ready;
    expect(again.board().sort()).toEqual(board().sort());
    again.open();
    await again.runs.stop();
  }));

test('a run whose first event is longer than what is looked at is listed before it is read whole; a stamp alone is none', () =>
  inFolder(async (folder) => {
    const declared = line('wide', 'run_started', { suite: 'w'.repeat(200_000), totalScenarios: 1 });
    await writeFile(join(folder, 'wide.ndjson'), stamp('wide') + declared + scenario('wide', 'A/a') + declared);
    await writeFile(join(folder, 'bare.ndjson'), stamp('bare'));
    await writeFile(join(folder, 'torn.ndjson'), stamp('torn') + started('torn').slice(0, 20));
    const { runs, board, open } = await booted(folder);
    await runs.ready;
    expect(board()).toEqual([['wide', 'orphaned', 0, 0, 0, false]]);
    open();
    await runs.counted;
    expect(board()).toEqual([['wide', 'orphaned', 1, 1, 0, true]]);
    await runs.stop();
  }));

test('an event that comes while its archive is still being read is counted once, with all before it', () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'r1.ndjson'), started('r1') + scenario('r1', 'A/a') + filler('r1', 100_000));
    const { runs, board, open } = await booted(folder);
    await runs.ready;
    const taken = runs.ingest(Buffer.from(`[${scenario('r1', 'A/b')}]`), localSender);
    open();
    expect(await taken).toMatchObject({ accepted: 1 });
    await runs.counted;
    expect(board()).toEqual([['r1', 'running', 2, 2, 0, true]]);
    await runs.stop();
  }));

test('the end of a run is found wherever in its archive it stands', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'r1.ndjson');
    for (const before of [0, 60_000, 64_000, 1_048_000, 1_114_000, 2_200_000]) {
      for (const after of [0, 33_000, 1_200_000]) {
        await writeFile(path, started('r1') + filler('r1', before) + finished('r1') + filler('r1', after));
        const ends = (await archiveEnds(path))?.lines.filter((text) => text.includes('"run_finished"'));
        expect([before, after, new Set(ends)]).toEqual([before, after, new Set([finished('r1').trim()])]);
      }
    }
  }));
