import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ctrfOf } from './export-ctrf.ts';
import { junitOf } from './export-junit.ts';
import { foldEvent } from './fold.ts';
import { readLine } from './replay.ts';
import { newRun, type Run } from './run.ts';
import { runSnapshot } from './run-snapshot.ts';
import { detailOf, headlineOf, sortedScenarios, summaryOf } from './run-views.ts';

const recorded = join(import.meta.dirname, '../../../../../tests/fixtures/archives/bobcat-supervised.ndjson');
const events = readFileSync(recorded, 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => readLine(line)?.event ?? []);

const around = { host: 'here', orphaned: false, repositoryName: null, lastEventAt: null, expectedMs: null };
const shown = (run: Run) => {
  const summary = summaryOf(headlineOf(run), around);
  const detail = detailOf(run, summary, () => null);
  return JSON.stringify([detail, [...ctrfOf(run, summary, '1.0.0')].join(''), [...junitOf(run, summary)].join('')]);
};

test('a snapshot never changes, and the run itself goes on as if there were none', () => {
  const places = fc.uniqueArray(fc.nat(events.length), { maxLength: 6 });
  fc.assert(
    fc.property(places, (cuts) => {
      const run = newRun('r');
      const kept: { run: Run; text: string }[] = [];
      for (const [at, event] of events.entries()) {
        if (cuts.includes(at)) {
          sortedScenarios(run);
          kept.push({ run: runSnapshot(run), text: shown(run) });
        }
        foldEvent(run, event);
      }
      for (const { run: before, text } of kept) expect(shown(before)).toBe(text);
      const alone = newRun('r');
      for (const event of events) foldEvent(alone, event);
      expect(shown(run)).toBe(shown(alone));
    }),
    { numRuns: 30 },
  );
});
