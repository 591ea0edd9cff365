import type { MonitorEvent } from '../events.ts';

/** The console that a sending thread talks to; all runs of a process that go there share the thread. */
export type ConsoleAddress = { url: string; token: string | null; probeMs: number };

/** What the thread gets to know about a run. */
export type RunSettings = {
  runId: string;
  participant?: string;
  /** Whether this process knows how far the run is. */
  counts: boolean;
  /** The repository, and where `git` is looked for. */
  root: string;
  searchPath: string;
  stallMs: number;
  startedAt: number;
  /** The trace that the run continues. */
  traceparent: string | null;
  processId: number;
  shared: SharedArrayBuffer;
};

/** A run that begins, its events, the word that no more of them will come, or that no more runs will. */
export type Message =
  | { run: number; open: RunSettings }
  | { run: number; events: readonly MonitorEvent[] }
  | { run: number; drain: true }
  | 'leave';

/** What the thread answers: everything of the run is sent or given up. */
export type Drained = { drained: number };

/** Slots of the shared memory of a run, so that even a thread that cannot receive messages knows how the other stands. */
export const slot = { phase: 0, computedMs: 1 } as const;
export const phase = { probing: 0, live: 1, over: 2 } as const;
