// The parts of Vitest 3, 4 and 5 that are used; optional members exist only in some of these versions.
export type Attempt = { state?: string; duration?: number; startTime?: number; errors?: readonly unknown[] };
export type Diagnostic = {
  duration?: number;
  startTime?: number;
  retryCount?: number;
  concurrencyId?: number;
  workerId?: number;
};
export type Result = { state: string; errors?: readonly unknown[]; note?: string };
export type Parent = { type: string; name?: string; parent?: Parent; errors?(): readonly unknown[] };
export type TestCase = {
  id: string;
  name: string;
  parent: Parent;
  module: TestModule;
  location?: { line: number; column?: number } | undefined;
  options: { mode?: string; tags?: readonly string[] };
  result(): Result;
  diagnostic(): Diagnostic | undefined;
  attempts?(): readonly Attempt[];
  annotations?(): readonly Annotation[];
};
export type Suite = Parent & { errors(): readonly unknown[] };
export type Project = { name?: string };
export type TestModule = {
  id: string;
  moduleId: string;
  project?: Project;
  task?: { meta?: { typecheck?: boolean } };
  children: { allTests(): Iterable<TestCase>; allSuites(): Iterable<Suite> };
  errors(): readonly unknown[];
  diagnostic?(): Diagnostic;
};
export type Sequencer = { shard(files: Specification[]): Promise<Specification[]> | Specification[] };
export type Vitest = {
  version?: string;
  /** Of Vitest 1 and 2. */
  state?: { idMap: Map<string, Task> };
  config: {
    root: string;
    maxWorkers?: number;
    shard?: { index: number; count: number };
    sequence?: { sequencer?: new (...args: readonly never[]) => Sequencer };
  };
};
/** `taskId` is the id that its module will have. */
export type Specification = { moduleId: string; taskId: string };
export type Log = { content: string; taskId?: string; type?: string; time?: number };
export type Annotation = {
  message: string;
  type?: string;
  attachment?: { contentType?: string; path?: string; body?: string | Uint8Array; bodyEncoding?: string };
};

// The input of reporters in Vitest 1 and 2: one tree of tasks, in which results appear.
type TaskResult = {
  state?: string;
  duration?: number;
  startTime?: number;
  errors?: readonly unknown[];
  retryCount?: number;
  note?: string;
};
export type Task = {
  id: string;
  name: string;
  type: string;
  mode?: string;
  suite?: Task;
  file?: FileTask;
  tasks?: readonly Task[];
  location?: { line: number; column?: number };
  result?: TaskResult;
};
export type FileTask = Task & { filepath: string; projectName?: string; pool?: string; meta?: { typecheck?: boolean } };
