import type { StepView } from '../../live/wire.ts';
import type { Attempt } from './attempts.ts';

/** A line that an attempt printed, and its time in milliseconds since the start of the attempt. */
export type OutputLine = { atMs: number; stream: 'stdout' | 'stderr'; text: string };

type Printed = Pick<Attempt, 'stdout' | 'stderr' | 'stdoutMs' | 'stderrMs'>;

/** Both streams sorted by time; null if some line has no time. */
export function timedOutput({ stdout, stderr, stdoutMs, stderrMs }: Printed): OutputLine[] | null {
  if (stdoutMs.length !== stdout.length || stderrMs.length !== stderr.length) return null;
  const of = (stream: OutputLine['stream'], lines: readonly string[], times: readonly number[]) =>
    lines.map((text, index): OutputLine => ({ atMs: times[index] ?? 0, stream, text }));
  return [...of('stdout', stdout, stdoutMs), ...of('stderr', stderr, stderrMs)].sort((a, b) => a.atMs - b.atMs);
}

/** The lines printed before the first step, during a step, and after the end of a top-level step. */
export type LinesByStep = {
  before: readonly OutputLine[];
  during: ReadonlyMap<StepView, readonly OutputLine[]>;
  after: ReadonlyMap<StepView, readonly OutputLine[]>;
};

/** A line belongs to the last step that had begun but not ended. Null if a step has no start time. */
export function linesByStep(steps: readonly StepView[], lines: readonly OutputLine[]): LinesByStep | null {
  if (steps.length === 0 || steps.some(({ startMs }) => startMs === null)) return null;
  const byStart = steps.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  const before: OutputLine[] = [];
  const [during, after] = [new Map<StepView, OutputLine[]>(), new Map(none)];
  for (const line of lines) {
    const begun = byStart.filter(({ startMs }) => (startMs ?? 0) <= line.atMs);
    const underWay = begun.findLast((step) => line.atMs <= (step.startMs ?? 0) + (step.durationMs ?? Infinity));
    const last = underWay ?? begun.findLast(({ parentStepNumber }) => parentStepNumber === null);
    if (!last) before.push(line);
    else add(underWay ? during : after, last, line);
  }
  return { before, during, after };
}

const none: readonly [StepView, OutputLine[]][] = [];

function add(found: Map<StepView, OutputLine[]>, step: StepView, line: OutputLine): void {
  const own = found.get(step);
  if (own) own.push(line);
  else found.set(step, [line]);
}
