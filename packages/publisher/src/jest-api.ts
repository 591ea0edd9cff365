// The parts of Jest's reporter API that are used.
export type GlobalConfig = { rootDir: string; maxWorkers: number };
export type TestFile = { path: string; context?: { config?: { displayName?: { name?: string } } } };
export type Case = {
  ancestorTitles: readonly string[];
  title: string;
  fullName: string;
  status?: string;
  duration?: number | null;
  startedAt?: number | null;
  invocations?: number;
  failureMessages?: readonly string[];
  failureDetails?: readonly unknown[];
  location?: { line: number; column?: number } | null;
};
export type Said = { message: string; type?: string; origin?: string };
export type FileResult = {
  testResults: readonly Case[];
  testExecError?: { message?: string; stack?: string } | null;
  console?: readonly Said[] | null;
};
export type Results = {
  numRuntimeErrorTestSuites?: number;
  wasInterrupted?: boolean;
  runExecError?: object | null;
  snapshot?: { failure?: boolean };
};
