/** A test as seen from its own process: the absolute path of its file, and its names joined by spaces. */
export type RunningTest = { file: string; name: string };

type Task = { name: string; type?: string; suite?: Task; file?: { filepath: string } };
type MochaTest = { file?: string; titlePath(): string[] };
type Known = {
  task?: Task;
  fullName?: string;
  filePath?: string;
  file?: string;
  titlePath?: readonly string[];
  test?: MochaTest;
  currentTest?: MochaTest;
};
type Globals = {
  __vitest_worker__?: { current?: Task };
  expect?: { getState?(): { currentTestName?: string; testPath?: string } };
  [slot]?: RunningTest | null;
};

const slot = Symbol.for('signalbox.running-test');
const globals = globalThis as Globals;

/** For frameworks that run tests in the adapter's process: sets the running test. */
export function setRunningTest(test: RunningTest | null): void {
  globals[slot] = test;
}

/** The test that a framework's context belongs to. */
export function testIn(context: Known): RunningTest | null {
  if (context.task) return fromTask(context.task);
  if (context.fullName !== undefined) return { file: context.filePath ?? '', name: flat(context.fullName) };
  if (Array.isArray(context.titlePath)) return { file: context.file ?? '', name: context.titlePath.slice(1).join(' ') };
  const test = context.test ?? context.currentTest;
  return test ? { file: test.file ?? '', name: test.titlePath().join(' ') } : null;
}

/** The test that runs in this process, if its framework exposes it. */
export function runningTest(): RunningTest | null {
  if (globals[slot]) return globals[slot];
  const task = globals.__vitest_worker__?.current;
  if (task) return fromTask(task);
  const state = globals.expect?.getState?.();
  return state?.currentTestName ? { file: state.testPath ?? '', name: state.currentTestName } : null;
}

function fromTask(task: Task): RunningTest {
  const names = [task.name];
  for (let at = task.suite; at && at.name !== ''; at = at.suite) names.unshift(at.name);
  return { file: task.file?.filepath ?? '', name: names.join(' ') };
}

/** Frameworks join names in different ways; all of them can be reduced to spaces. */
export const flat = (name: string): string => name.replaceAll(' > ', ' ');
