import type { FileTask, Parent, Suite, Task, TestCase, TestModule } from './vitest-api.ts';

const states: Record<string, string> = { pass: 'passed', fail: 'failed', skip: 'skipped', todo: 'skipped' };

/** In Vitest 1 a test that did not run has no result, even if a hook prevented it and its file has finished. */
function stateOf({ mode, result }: Task, file: FileTask): string {
  const known = states[result?.state ?? ''];
  if (known) return known;
  const isThrough = states[file.result?.state ?? ''] !== undefined;
  return mode === 'skip' || mode === 'todo' || isThrough ? 'skipped' : 'pending';
}

const isFile = (task: Task): boolean => 'filepath' in task;

function parentOf(task: Task): Parent {
  const up = task.suite;
  // The suite that represents a file has no name.
  if (!up || isFile(up) || up.name === '') return { type: 'module', errors: () => task.file?.result?.errors ?? [] };
  return suiteOf(up);
}

const suiteOf = (task: Task): Suite => ({
  type: 'suite',
  name: task.name,
  parent: parentOf(task),
  errors: () => task.result?.errors ?? [],
});

const testOf = (task: Task, module: TestModule, file: FileTask): TestCase => ({
  id: task.id,
  name: task.name,
  parent: parentOf(task),
  module,
  location: task.location,
  options: { ...(task.mode !== undefined && { mode: task.mode }) },
  result: () => ({
    state: stateOf(task, file),
    errors: task.result?.errors ?? [],
    ...(task.result?.note !== undefined && { note: task.result.note }),
  }),
  diagnostic: () => {
    const { duration, startTime, retryCount } = task.result ?? {};
    return {
      ...(duration !== undefined && { duration }),
      ...(startTime !== undefined && { startTime }),
      ...(retryCount !== undefined && { retryCount }),
    };
  },
});

function* below(task: Task): Generator<Task> {
  for (const child of task.tasks ?? []) {
    yield child;
    yield* below(child);
  }
}

/** A file of Vitest 1 or 2 in the form of later versions. */
export function moduleOf(file: FileTask): TestModule {
  const isTypes = file.pool === 'typescript' || file.meta?.typecheck === true;
  const module: TestModule = {
    id: file.id,
    moduleId: file.filepath,
    project: { name: file.projectName ?? '' },
    task: { meta: { typecheck: isTypes } },
    children: {
      *allTests() {
        for (const task of below(file)) if (task.type !== 'suite') yield testOf(task, module, file);
      },
      *allSuites() {
        for (const task of below(file)) if (task.type === 'suite') yield suiteOf(task);
      },
    },
    errors: () => file.result?.errors ?? [],
  };
  return module;
}
