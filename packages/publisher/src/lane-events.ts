import type { Event, Participating, WorkerPurpose } from './event-parts.ts';

// Events of lanes and their workers. Types only.

/** A lane received scenarios. */
export type LaneStarted = Event<'lane_started', { lane: number; uids: readonly string[]; at: string } & Participating>;
/** A lane finished its scenarios, or its worker died. */
export type LaneFinished = Event<
  'lane_finished',
  { lane: number; outcomes: number; crashed: boolean; at: string } & Participating
>;
/** A resource shared by tests was replaced by a fresh one. */
export type ResourceRecycled = Event<'resource_recycled', { resource: string; at: string } & Participating>;
/** A worker died; `fault` is a sentence for a person. */
export type WorkerFaulted = Event<
  'worker_faulted',
  {
    lane: number | null;
    fault: string;
    exitCode: number | null;
    standardError: string | null;
    at: string;
  } & Participating
>;
/** A worker was started. */
export type WorkerStarted = Event<
  'worker_started',
  { lane: number | null; purpose: WorkerPurpose; processId: number | null; at: string } & Participating
>;
/** A test is still running after too long; sent once per attempt. */
export type TestStalled = Event<
  'test_stalled',
  {
    uid: string;
    displayName: string;
    inFlightMs: number;
    lane: number | null;
    processId?: number | null;
    at: string;
  } & Participating
>;
