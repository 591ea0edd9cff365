import type { StepView } from '../../live/wire.ts';
import type { Attempt } from './attempts.ts';

/** A line that an attempt printed, and when, in milliseconds since its start. */
export type OutputLine = { atMs: number; stream: 'stdout' | 'stderr'; text: string };

type Printed = Pick<Attempt, 'stdout' | 'stderr' | 'stdoutMs' | 'stderrMs'>;

/** Both streams in the order of time; null where not every line has its time. */
export function timedOutput({ stdout, stderr, stdoutMs, stderrMs }: Printed): OutputLine[] | null {
  if (stdoutMs.length !== stdout.length || stderrMs.length !== stderr.length) return null;
  const of = (stream: OutputLine['stream'], lines: readonly string[], times: readonly number[]) =>
    lines.map((text, index): OutputLine => ({ atMs: times[index] ?? 0, stream, text }));
  return [...of('stdout', stdout, stdoutMs), ...of('stderr', stderr, stderrMs)].sort((a, b) => a.atMs - b.atMs);
}

export type LinesByStep = ReadonlyMap<StepView | null, readonly OutputLine[]>;

/**
 * What was printed during which step: the last one that had begun and not ended, else the last that had begun. Null is
 * for what came before all of them. Null where a step does not tell when it began.
 */
export function linesByStep(steps: readonly StepView[], lines: readonly OutputLine[]): LinesByStep | null {
  if (steps.length === 0 || steps.some(({ startMs }) => startMs === null)) return null;
  const byStart = steps.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  const found = new Map<StepView | null, OutputLine[]>();
  for (const line of lines) {
    const step = stepAt(byStart, line.atMs);
    const own = found.get(step);
    if (own) own.push(line);
    else found.set(step, [line]);
  }
  return found;
}

function stepAt(byStart: readonly StepView[], atMs: number): StepView | null {
  const begun = byStart.filter(({ startMs }) => (startMs ?? 0) <= atMs);
  const underWay = begun.findLast(({ startMs, durationMs }) => atMs <= (startMs ?? 0) + (durationMs ?? Infinity));
  return underWay ?? begun.at(-1) ?? null;
}
