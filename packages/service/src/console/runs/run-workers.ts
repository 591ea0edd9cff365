// What happened to the lanes of a run and to their workers.

export type Lane = {
  /** Of its own in the whole run; a participant's own number where no other has it. */
  lane: number;
  participant: string | null;
  status: 'running' | 'finished' | 'crashed';
  passes: number;
  uids: readonly string[];
  startedAt: string | null;
  finishedAt: string | null;
  outcomes: number | null;
  processId: number | null;
  purpose: string | null;
};

export type Recycle = { resource: string; at: string | null };
export type WorkerFault = {
  lane: number | null;
  fault: string;
  exitCode: number | null;
  standardError: string | null;
  at: string | null;
  participant: string | null;
};
export type Stall = {
  uid: string;
  displayName: string;
  inFlightMs: number;
  lane: number | null;
  processId: number | null;
  at: string | null;
  participant: string | null;
};
export type Progress = {
  elapsedMs: number;
  completed: number | null;
  total: number | null;
  inFlight: number | null;
  longestRunningUid: string | null;
  longestRunningDisplayName: string | null;
  longestRunningMs: number | null;
  peakWorkerRssBytes: number | null;
  at: string | null;
};
