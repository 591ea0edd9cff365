import type { Document } from '../../kernel/document.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import type {
  TestChanges,
  TestHistoryQuery,
  TestHistoryView,
  TestOrder,
  TestSummary,
} from '../../run-contract/test-history.ts';
import type { RunDetail, RunSummary, ScenarioView } from './contract.ts';
import type { ModelView, Narrowing, SliceCoverage } from './model-contract.ts';

/**
 * Runs, newest start first. `ageMs` is null when the list is current; `trouble` is why a remote console cannot be read.
 */
export type RunList = { runs: readonly RunSummary[]; ageMs: number | null; trouble?: string | null };
/** A test that needed more than one attempt in a run. */
export type RetriedTest = { uid: string; reasons: readonly string[] };
export type SuiteFilter = { suite?: string | undefined; repository?: string | undefined };
export type EjectFilter = { olderThan?: string | undefined; exceptRunId?: readonly string[] | undefined };

/** The runs of a console, local or remote. */
export type RunSource = {
  /** Lists the runs from memory, never from the network. */
  list(): Promise<RunList>;
  /** One of the runs in its current state. */
  get(runId: string): Promise<RunSummary | undefined>;
  /** A long one comes as a document of the same shape. */
  detail(runId: string): Promise<RunDetail | Document | Refusal>;
  /** The scenarios of a run that failed, were aborted, or have no verdict. */
  failing(runId: string): Promise<{ run: RunSummary; scenarios: readonly ScenarioView[] } | Refusal>;
  /** Tests by their results in the history of their console. */
  tests(filter: SuiteFilter, order: TestOrder): Promise<readonly TestSummary[] | Refusal>;
  /** Tests that became flaky after `since`, and tests that stopped being flaky. */
  testChanges(since: string): Promise<TestChanges>;
  testHistory(query: TestHistoryQuery): Promise<TestHistoryView | Refusal>;
  /** Whether the history behind `tests` cannot contain this run. */
  isOutsideHistory(run: RunSummary): boolean;
  retried(run: RunSummary): Promise<readonly RetriedTest[]>;
  export(runId: string, format: string): Promise<Document | Refusal>;
  /** A file that a test attached, by its hash. */
  attachment(runId: string, sha256: string): Promise<Document | Refusal>;
  eject(runId: string, by: string): Promise<Record<string, never> | Refusal>;
  ejectMany(filter: EjectFilter, by: string): Promise<{ count: number; runIds: string[] } | Refusal>;
  /** Called when something about a run may have changed. */
  listen(listener: () => void): () => void;
};

/** The event model of a console, local or remote. */
export type ModelSource = {
  model(narrow: Narrowing): Promise<ModelView | Refusal>;
  coverage(): Promise<SliceCoverage | Refusal>;
  diagram(format: string, narrow: Narrowing): Promise<Document | Refusal>;
};
