import type { Claimed, ClaimNextAnswer, Licence as Known, NodeView } from 'signalbox/browser/contract';

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

export type Dependency = NodeView['dependsOn'][number];
/** A node held by another is refused, so an answer is a claim or the fact that nothing was ready. */
export type ClaimNext = Exclude<ClaimNextAnswer, { heldBy: string }>;
export type ReadyWarning = NonNullable<Claimed['readyWarning']>;
export type Licence = Known & { gate: 'workLoop' | 'record' | 'off' };
