import type {
  Board,
  ClaimView,
  Counts,
  CoverageView,
  EventModelView,
  EvidenceView,
  Health,
  LastClaim,
  PlanSummary,
  PlanView,
  RunDetail,
  RunSummary,
  ScenarioView,
  Session,
  SliceView,
  Status,
  StepView,
  Tree,
  UnlinkedClaim,
} from 'signalbox/contract';

export type {
  Board,
  ClaimView as Claim,
  Counts,
  CoverageView,
  EventModelView,
  EvidenceView as Evidence,
  Health,
  LastClaim,
  PlanSummary,
  PlanView,
  RunDetail,
  RunSummary,
  ScenarioView,
  Session,
  SliceView,
  Status,
  StepView,
  Tree,
  UnlinkedClaim,
};

export type Binding =
  | { kind: 'issue'; issue: string }
  | { kind: 'pullRequest'; pullRequest: string }
  | { kind: 'suite'; tag?: string; suite?: string; branch?: string }
  | { kind: 'package'; registry: 'npm' | 'nuget'; name: string; version: string }
  | { kind: 'dependency'; repository: string; name: string; version: string }
  | { kind: 'commit'; branch?: string }
  | { kind: 'signOff'; who?: string };

export type Dependency = { ref: string; status: Status | null; done: boolean; missing: boolean };

export type NodeView = {
  plan: string;
  id: string;
  ref: string;
  title: string;
  description: string | null;
  repository: string | null;
  labels: readonly string[];
  estimateMinutes: number | null;
  binding: Binding | null;
  status: Status;
  ready: boolean;
  unbound: boolean;
  leverage: number;
  why: string;
  dependsOn: readonly Dependency[];
  dependents: readonly string[];
  claim: ClaimView | null;
  claimedBy: string | null;
  lastClaim: LastClaim | null;
  evidence: EvidenceView | null;
};

export type PlanStatus = {
  slug: string;
  title: string;
  counts: Counts;
  nodes: readonly NodeView[];
  ready: readonly string[];
};

export type HistoryEntry = {
  sequence: number;
  version: number;
  type: string;
  by: string;
  at: string;
  provenance: 'observed' | 'asserted';
  data: Readonly<Record<string, unknown>>;
  says: string;
};

export type ImportReport = {
  slug: string;
  created: boolean;
  dryRun: boolean;
  mode: 'full' | 'seed';
  skipped: null | 'archived';
  added: readonly string[];
  changed: readonly { id: string; fields: readonly string[] }[];
  removed: readonly string[];
  kept: readonly string[];
  unchanged: readonly string[];
  dependenciesAdded: readonly { node: string; on: string }[];
  dependenciesRemoved: readonly { node: string; on: string }[];
  version: number;
};

export type ReadyWarning = { message: string; waitingFor: readonly string[] };
export type Claimed = {
  claimed: true;
  expiresAt: string;
  node: NodeView;
  readyWarning: ReadyWarning | null;
  fence: number;
};
export type ClaimNext = Claimed | { claimed: false; reason: 'nothing_ready' };

export type Repository = {
  owner: string;
  name: string;
  description: string | null;
  url: string | null;
  defaultBranch: string | null;
  paths: readonly string[];
  publishes: readonly { registry: string; name: string; version?: string | null }[];
  consumes: readonly { registry: string; name: string; version?: string | null }[];
  suites: readonly { suite: string; tag?: string | null; branch?: string | null }[];
  noteCount: number;
  plans: readonly string[];
  openNodes: number;
  trees: readonly string[];
  registeredAt: string | null;
  declaredAt: string | null;
};

export type Note = {
  id: string;
  topic: string | null;
  text: string;
  by: string;
  at: string;
  supersededBy: string | null;
};
export type RepositoryDetail = Repository & {
  notes: readonly Note[];
  suggestions: readonly { from: string; to: string; why: string }[];
};
export type Found = {
  kind: 'note' | 'claim';
  repository: string | null;
  ref: string | null;
  id: string | null;
  topic: string | null;
  text: string;
  by: string;
  at: string;
  supersededBy: string | null;
};

export type Licence = {
  state: 'valid' | 'missing' | 'invalid' | 'expired';
  edition: string | null;
  expiresAt: string | null;
  holder: string | null;
  gate: 'workLoop' | 'record' | 'off';
};
