import type { Document } from '../../kernel/document.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import type { RunDetail, RunSummary, ScenarioView } from './contract.ts';
import type { ModelView, Narrowing, SliceCoverage } from './model-contract.ts';

/** The runs that are known, newest start first. `ageMs` is null when they are what is so right now. */
export type Known = { runs: readonly RunSummary[]; ageMs: number | null };
/** A test that needed more than one attempt in a run. */
export type Retried = { uid: string; reasons: readonly string[] };
export type EjectFilter = { olderThan?: string | undefined; exceptRunId?: readonly string[] | undefined };

/** A console's runs, wherever it is. */
export type Runs = {
  /** From memory, never from the network. */
  known(): Promise<Known>;
  /** One of them, as it is known now. */
  one(runId: string): Promise<RunSummary | undefined>;
  /** A long one comes as a document of the same shape. */
  detail(runId: string): Promise<RunDetail | Document | Refusal>;
  /** The scenarios of a run that failed, were aborted, or have no verdict. */
  troubled(runId: string): Promise<{ run: RunSummary; scenarios: readonly ScenarioView[] } | Refusal>;
  retried(run: RunSummary): Promise<readonly Retried[]>;
  export(runId: string, format: string): Promise<Document | Refusal>;
  eject(runId: string): Promise<Record<string, never> | Refusal>;
  ejectMany(filter: EjectFilter): Promise<{ count: number; runIds: string[] } | Refusal>;
  /** Told whenever something about a run may have changed. */
  listen(listener: () => void): () => void;
};

/** The Event Model of a console, wherever it is. */
export type Models = {
  model(narrow: Narrowing): Promise<ModelView | Refusal>;
  coverage(): Promise<SliceCoverage | Refusal>;
  diagram(format: string, narrow: Narrowing): Promise<Document | Refusal>;
};
