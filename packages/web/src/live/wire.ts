import type { RestApi } from 'signalbox/browser/api';
import type { Claimed, NodeView } from 'signalbox/browser/contract';

/** The answers of the service, from its contract. */
export type {
  Binding,
  Board,
  Claimed,
  ClaimView as Claim,
  Counts,
  CoverageView,
  EventModelView,
  EvidenceView as Evidence,
  Health,
  HistoryEntry,
  ImportReport,
  LastClaim,
  MemoryHit as Found,
  Need,
  NeedKind,
  Needs,
  NodeView,
  NoteView as Note,
  PlanStatus,
  PlanSummary,
  PlanView,
  RepositoryDetail,
  RepositoryView as Repository,
  RunDetail,
  RunSummary,
  ScenarioView,
  Session,
  SliceView,
  Status,
  StepView,
  Tree,
  UnlinkedClaim,
} from 'signalbox/browser/contract';

export type Me = RestApi['me']['output'];
export type Simulation = RestApi['simulate_plan']['output'];
export type Scope = Me['scopes'][number];
export type Token = RestApi['list_tokens']['output'][number];
export type Webhook = RestApi['list_webhooks']['output'][number];
export type WebhookDelivery = RestApi['list_deliveries']['output'][number];
export type AuditEntry = RestApi['list_audit']['output']['items'][number];
export type Overlap = RestApi['list_overlaps']['output']['items'][number];
export type MergeRehearsal = RestApi['rehearse_merges']['output']['items'][number];
export type RepositoryChanges = RestApi['list_changes']['output']['items'][number];
export type Dependency = NodeView['dependsOn'][number];
/** The answer when somebody else holds the node. */
export type ClaimLost = Extract<RestApi['claim_node']['output'], { claimed: false }>;
export type ReadyWarning = NonNullable<Claimed['readyWarning']>;
export type Licence = RestApi['licence']['output'];
export type TestHistory = RestApi['test_history']['output'];
export type TestVerdict = TestHistory['items'][number];
export type TestSummary = RestApi['list_tests']['output'][number];
export type SuiteRun = SuiteSummary['runs'][number];
export type SuiteSummary = RestApi['list_suites']['output'][number];
export type UnsavedWork = RestApi['unsaved_work']['output'];
export type SessionDetail = RestApi['get_agent']['output'];
