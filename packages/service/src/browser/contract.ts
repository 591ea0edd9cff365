/** The answers of both ports as types; the page and other clients import nothing else of the rooms. */
export type { CoverageView, EventModelView, SliceView } from '../../../event-model/src/contract.ts';
export type * from '../console/runs/contract.ts';
export type { Board, Session, Tree, UnlinkedClaim } from '../coordination/agents/contract.ts';
export type { EvidenceView } from '../coordination/evidence/contract.ts';
export type { Need, NeedKind, Needs } from '../coordination/needs/contract.ts';
export type { Binding } from '../coordination/plans/binding.ts';
export type { Counts, ImportReport, PlanSummary, PlanView, Status } from '../coordination/plans/contract.ts';
export type { NodeView } from '../coordination/plans/node-view.ts';
export type { MemoryHit, NoteView, RepositoryDetail, RepositoryView } from '../coordination/repositories/contract.ts';
export type { Claimed, ClaimNextAnswer, PlanStatus } from '../coordination/work/contract.ts';
export type { HistoryEntry } from '../coordination/work/history.ts';
export type { ClaimView, Health, LastClaim } from '../kernel/claim-view.ts';
export type { Licence } from '../kernel/dispatch.ts';
