import type { ImportedRun, ImportedTest } from './imported-run.ts';

/** One line of `go test -json`. */
type GoEvent = { Time?: string; Action: string; Package?: string; Test?: string; Elapsed?: number; Output?: string };
type GoTest = { feature: string; name: string; end: string | null; ms: number; output: string[] };

export const isGoEvent = (value: unknown): value is GoEvent =>
  typeof value === 'object' && value !== null && 'Action' in value && typeof value.Action === 'string';

const ends: Record<string, ImportedTest['outcome']> = { pass: 'CleanPass', fail: 'Failed', skip: 'Skipped' };
/** What the tool itself says of a test's course, in the middle of its output. */
const noise = /^\s*(===|---) /;
const outputAtMost = 64 * 1024;

/** What `go test -json` says; a package that fails without a failing test stands for what kept it from running. */
export function readGoTest(events: readonly GoEvent[]): ImportedRun {
  const tests = new Map<string, GoTest>();
  const packages = new Map<string, GoTest>();
  for (const event of events) {
    const feature = event.Package ?? '';
    const name = event.Test ?? '';
    const key = `${feature}\n${name}`;
    const group = name === '' ? packages : tests;
    // With -count a test runs more than once under one name.
    if (event.Action === 'run' && tests.get(key)?.end) tests.set(`${key}\n${tests.size}`, tests.get(key) as GoTest);
    if (event.Action === 'run' || !group.has(key)) group.set(key, { feature, name, end: null, ms: 0, output: [] });
    follow(group.get(key) as GoTest, event);
  }
  const broken = [...packages.values()].filter(
    ({ feature, end }) =>
      end === 'fail' && ![...tests.values()].some((test) => test.feature === feature && isBad(test)),
  );
  const times = events.flatMap(({ Time }) => (Time === undefined ? [] : Date.parse(Time))).filter(Number.isFinite);
  return {
    suite: '',
    startedAtMs: times[0] ?? null,
    stoppedAtMs: times.at(-1) ?? null,
    tests: [...tests.values(), ...broken.map((one) => ({ ...one, name: '(package)' }))].map(testOf),
  };
}

const isBad = ({ end }: GoTest) => end === null || end === 'fail';

function follow(test: GoTest, { Action, Elapsed = 0, Output }: GoEvent): void {
  if (Output !== undefined) test.output.push(Output);
  if (!(Action in ends)) return;
  test.end = Action;
  test.ms = Math.round(Elapsed * 1000);
}

function testOf({ feature, name, end, ms, output }: GoTest): ImportedTest {
  const said = output.filter((line) => !noise.test(line)).join('');
  const text = said.slice(-outputAtMost).trim();
  const outcome = end === null ? 'Aborted' : (ends[end] ?? 'Failed');
  const first = text.split('\n').find((line) => line.trim() !== '');
  return {
    feature,
    name,
    outcome,
    durationMs: ms,
    message: outcome === 'CleanPass' ? null : (first?.trim() ?? (end === null ? 'no verdict' : null)),
    stackTrace: outcome === 'Failed' || outcome === 'Aborted' ? text || null : null,
    file: null,
    line: null,
    earlier: [],
    steps: [],
    ...(text !== '' && { stdout: text }),
  };
}
