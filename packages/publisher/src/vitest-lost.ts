import { failureOf, saidFailure } from './failure.ts';
import { fileOf, type Run } from './vitest-run.ts';
import { deathOf } from './worker-death.ts';

/** What Vitest says when a worker is gone: "worker …", and how it went later in the text. */
function tellsDeadWorker(text: string): boolean {
  const at = text.search(/worker /i);
  const gone = at >= 0 && /exited|emitted error|terminated/i.test(text.slice(at));
  return gone || /channel closed|SIG(?:KILL|SEGV|ABRT|TERM|BUS)/i.test(text);
}

/** Vitest 4 reports a run with a dead worker as "passed", so its own result is not used. */
export function modulesLost(run: Run, errors: readonly unknown[]): void {
  const causes = errors.map((error) => causeOf(run, error));
  for (const { module, tests, lane, done, crashed } of run.modules.values()) {
    const lost = tests.filter((test) => !run.publisher.ended(test));
    if (done || lost.length === 0) continue;
    const file = fileOf(run, module);
    const cause = causes.find((text) => text.includes(file)) ?? causes.find(tellsDeadWorker);
    const open = new Set(run.publisher.open().map((test) => test.uid));
    const victims = lost.filter((test) => open.has(test.uid));
    const fault = deathOf({ file, victims, lost: lost.length, cause: cause ?? 'cause unknown' });
    run.publisher.fault(lane, fault);
    for (const test of victims) run.publisher.end(test, { state: 'aborted', failure: saidFailure(fault) });
    if (!crashed) run.publisher.endLane(lane, tests.length - lost.length, true);
  }
  const others = causes.filter((text) => !tellsDeadWorker(text));
  for (const text of others) run.publisher.fault(null, `An error outside of the tests: ${text}`);
}

/** The cause is more specific than the pool's error around it; the folder of the run is removed. */
function causeOf(run: Run, error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return failureOf(cause ?? error, run.publisher.root)
    .message.replaceAll(`${run.folder}/`, '')
    .trim();
}
