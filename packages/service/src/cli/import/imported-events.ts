import type { ImportedRun, ImportedTest } from './imported-run.ts';
import { type RunEvent, ScenarioEvents } from './scenario-events.ts';

/** Facts that the file does not contain. */
export type ImportDefaults = {
  runId: string;
  suite: string;
  repository: string;
  repositoryId?: string | null;
  branch: string | null;
  tag: string | null;
  /** When the file was written: the end of a run without times. */
  writtenAtMs: number;
  /** The part of the run that this is, such as 2 of 3. */
  shard?: { index: number; count: number } | null;
  /** Whether the id is derived from the content, so that the same id means the same content. */
  isContentId?: boolean;
};

/** The run as a publisher would have sent it. The same file always gives the same events, so importing it again changes nothing. */
export function eventsOf(run: ImportedRun, defaults: ImportDefaults): RunEvent[] {
  const { runId, repository, branch, tag, shard = null } = defaults;
  const took = run.tests.reduce((sum, test) => sum + (test.durationMs ?? 0), 0);
  const startedAtMs = run.startedAtMs ?? defaults.writtenAtMs - took;
  const finishedAtMs = Math.max(run.stoppedAtMs ?? startedAtMs + took, startedAtMs);
  const started: RunEvent = {
    type: 'run_started',
    runId,
    suite: run.suite === '' ? defaults.suite : run.suite,
    repository,
    ...(defaults.repositoryId && { repositoryId: defaults.repositoryId }),
    branch,
    mode: 'imported',
    startedAt: iso(startedAtMs),
    totalScenarios: shard ? null : run.tests.length,
    tag,
    session: null,
    command: null,
  };
  const figures = figuresOf(run.tests);
  if (!shard) {
    const finished = { type: 'run_finished', runId, ...figures, finishedAt: iso(finishedAtMs) };
    return [started, ...testEvents(run.tests, runId, startedAtMs), finished];
  }
  const participant = participantOf(shard);
  const totalScenarios = run.tests.length;
  const part = { type: 'participant_started', runId, participant, due: shard.count, totalScenarios };
  const end = { type: 'participant_finished', runId, participant, ...figures, at: iso(finishedAtMs) };
  return [started, { ...part, at: iso(startedAtMs) }, ...testEvents(run.tests, runId, startedAtMs), end];
}

export const participantOf = ({ index, count }: { index: number; count: number }): string => `import ${index}/${count}`;

function testEvents(tests: readonly ImportedTest[], runId: string, startedAtMs: number): RunEvent[] {
  const events = new ScenarioEvents(runId);
  let atMs = startedAtMs;
  return tests.flatMap((test) => {
    const startedAt = iso(atMs);
    atMs += test.durationMs ?? 0;
    return events.finished(test, startedAt, iso(atMs));
  });
}

export function figuresOf(tests: readonly ImportedTest[]) {
  const count = (...outcomes: string[]) => tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const passed = tests.filter(({ outcome, earlier }) => outcome === 'CleanPass' && earlier.length === 0).length;
  const failed = count('Failed', 'Aborted');
  return {
    exitCode: failed > 0 ? 1 : 0,
    passed,
    failed,
    passedOnRetry: count('CleanPass') - passed,
    indeterminate: 0,
    skipped: count('Skipped'),
  };
}

/** A file may contain any duration, but the time must fit into a year of four digits. */
const lastMs = Date.UTC(9999, 11, 31);
const iso = (ms: number): string => new Date(Math.round(Math.max(0, Math.min(lastMs, ms)))).toISOString();
