import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A supervised run as an unmodified publisher sends it: four lanes, retries, a crash, a recycle, a stall, foreign tests. */
export const recordedText = readFileSync(
  join(import.meta.dirname, 'fixtures/archives/bobcat-supervised.ndjson'),
  'utf8',
);
// biome-ignore lint/suspicious/noExplicitAny: events of any type
export const recorded: readonly any[] = recordedText
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
export const recordedRunId = '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f';

export const inBatches = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** An archive without the console's own lines. */
export const withoutStamps = (archive: string): string => archive.replace(/^\{"type":"console_stamp".*\n/gm, '');

/** A small run: started, one scenario per outcome, finished unless specified otherwise. */
export function smallRun(
  runId: string,
  { outcomes = ['CleanPass'], startedAt = '2026-01-01T08:00:00.000Z', finished = true, ...start }: SmallRun = {},
): object[] {
  const at = (seconds: number) => new Date(Date.parse(startedAt) + seconds * 1000).toISOString();
  const of = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  return [
    { type: 'run_started', runId, suite: 'specs', repository: '/src/shop', mode: 'in-process', startedAt, ...start },
    ...outcomes.flatMap((outcome, index) => [
      { type: 'scenario_started', runId, uid: `Cart/${index}`, attempt: 1, at: at(1) },
      {
        type: 'scenario_finished',
        runId,
        uid: `Cart/${index}`,
        outcome,
        attempts: 1,
        durationMs: 5,
        errorMessage: outcome === 'Failed' ? 'expected 1 but was 2' : null,
        at: at(2),
      },
    ]),
    ...(finished
      ? [
          {
            type: 'run_finished',
            runId,
            exitCode: of('Failed') > 0 ? 1 : 0,
            passed: of('CleanPass'),
            failed: of('Failed'),
            passedOnRetry: of('PassOnRetry'),
            indeterminate: 0,
            skipped: of('Skipped'),
            finishedAt: at(10),
          },
        ]
      : []),
  ];
}

export type SmallRun = {
  outcomes?: readonly string[];
  startedAt?: string;
  finished?: boolean;
  tag?: string;
  suite?: string;
  repository?: string;
  session?: string;
  totalScenarios?: number;
};
