import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { memoryForRuns } from '../../packages/service/src/console/runs/run-cache.ts';
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
  await mkdir(join(folder, 'runs'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reading an archive takes as long as the test wants; the reads are counted. */
async function booted(folder: string) {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const clock = createSettableClock();
  const warned: string[] = [];
  const store = await openRunStore({ dataPath: folder, clock, warn: (_, text) => warned.push(text) });
  const read: string[] = [];
  const lines = store.lines.bind(store);
  store.lines = (runId) => {
    read.push(runId);
    return lines(runId);
  };
  const runs = createConsoleRuns({
    store,
    clock,
    timeBudget: () => ({ isSpent: () => true, pause: () => gate }),
    split: splitBatch,
    lines: joinLines,
    repositoryNames: async () => null,
    host: 'here',
    memory: memoryForRuns(1e9),
    policies: {
      orphanSeconds: 60,
      retentionDays: 0,
      retentionRuns: 0,
      maxRuns: 20_000,
      attachmentsMb: 50,
      runMb: 512,
      publisherMbPerHour: 4096,
    },
    warn: (_, text) => warned.push(text),
  });
  const board = () =>
    runs.registry.all().map((entry) => {
      const { runId, state, passed, scenarios, lost, counted } = runs.summaries.of(entry);
      return [runId, state, passed, scenarios, lost, counted];
    });
  return { runs, board, open, read, warned };
}

const writeIn = (folder: string) => (runId: string, text: string) =>
  writeFile(join(folder, 'runs', `${runId}.ndjson`), text);

test('archives that the store does not know are read once; the next start reads none', () =>
  inFolder(async (folder) => {
    const write = writeIn(folder);
    await write('ended', started('ended') + scenario('ended', 'A/a') + finished('ended'));
    await write('late', started('late') + filler('late', 200_000) + finished('late') + filler('late', 1_500_000));
    await write('lost', started('lost') + scenario('lost', 'A/a') + filler('lost', 200_000));
    await write(
      'torn',
      `{"type":"run_st\n${started('torn')}${scenario('torn', 'A/a')}${finished('torn').slice(0, -9)}`,
    );
    await write('bare', stamp('bare'));
    await write('half', stamp('half') + started('half').slice(0, 20));
    await write('empty', '');
    // Archives of an earlier release, which contain its own notes.
    await mkdir(join(folder, 'runs', '.index'));
    await write('garbage', '\u0000\u0001 nothing\n');
    const { runs, board, open, warned } = await booted(folder);
    open();
    await runs.ready;
    const expected = [
      ['ended', 'finished', 3, 1, 3, true],
      ['garbage', 'unreadable', 0, 0, 0, false],
      ['late', 'finished', 3, 0, 0, 'figures'],
      ['lost', 'orphaned', 1, 1, 3, true],
      ['torn', 'orphaned', 1, 1, 3, true],
    ];
    expect(board().sort()).toEqual(expected);
    expect(warned.filter((text) => text.includes('is unreadable'))).toHaveLength(1);
    await runs.stop();
    const again = await booted(folder);
    again.open();
    await again.runs.ready;
    expect(again.board().sort()).toEqual(expected);
    // An archive without an event has no row.
    expect(again.read.sort()).toEqual(['bare', 'empty', 'garbage', 'half']);
    await again.runs.stop();
  }));

test('a run whose archive is missing is unreadable, and can be ejected', () =>
  inFolder(async (folder) => {
    await writeIn(folder)('r1', started('r1') + scenario('r1', 'A/a') + finished('r1'));
    const first = await booted(folder);
    first.open();
    await first.runs.ready;
    await first.runs.stop();
    await rm(join(folder, 'runs', 'r1.ndjson'));
    const { runs, board, open } = await booted(folder);
    open();
    await runs.ready;
    expect(board()).toEqual([['r1', 'unreadable', 3, 1, 3, false]]);
    expect(await runs.ejector.ejectOne('r1', 'ada')).toBeUndefined();
    expect(board()).toEqual([]);
    await runs.stop();
  }));

test('an event that arrives while its archive is still being read is counted once, with all before it', () =>
  inFolder(async (folder) => {
    await writeIn(folder)('r1', started('r1') + scenario('r1', 'A/a') + filler('r1', 100_000));
    const { runs, board, open } = await booted(folder);
    const taken = runs.ingest(Buffer.from(`[${scenario('r1', 'A/b')}]`), localSender);
    open();
    expect(await taken).toMatchObject({ accepted: 1 });
    await runs.ready;
    expect(board()).toEqual([['r1', 'running', 2, 2, 0, true]]);
    await runs.stop();
  }));
