import type { Claimed, ClaimNextAnswer, Licence as Known, NodeView } from 'signalbox/contract';

/** What the service answers, as its own contract says it. */
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
} from 'signalbox/contract';

export type Dependency = NodeView['dependsOn'][number];
/** A claim that another holds is a refusal, so an answer is won or there was nothing to win. */
export type ClaimNext = Exclude<ClaimNextAnswer, { heldBy: string }>;
export type ReadyWarning = NonNullable<Claimed['readyWarning']>;
export type Licence = Known & { gate: 'workLoop' | 'record' | 'off' };
