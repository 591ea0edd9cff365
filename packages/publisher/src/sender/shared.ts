import type { MonitorEvent } from '../events.ts';

/** The console of a sending thread; all runs of a process to that console share the thread. */
export type ConsoleAddress = { url: string; token: string | null; probeMs: number };

/** The facts about a run for the thread. */
export type RunSettings = {
  runId: string;
  participant?: string;
  /** Whether this process knows how far the run is. */
  counts: boolean;
  /** The repository, and the folders in which `git` is searched for. */
  root: string;
  searchPath: string;
  stallMs: number;
  startedAt: number;
  /** The trace that the run continues. */
  traceparent: string | null;
  processId: number;
  shared: SharedArrayBuffer;
};

/** The start of a run, its events, its end, or the end of all runs. */
export type Message =
  | { run: number; open: RunSettings }
  | { run: number; events: readonly MonitorEvent[] }
  | { run: number; drain: true }
  | 'leave';

/** The thread's answer: everything of the run was sent or given up. */
export type Drained = { drained: number };

/** Slots of a run's shared memory, so that a thread that cannot receive messages still sees the other's state. */
export const slot = { phase: 0, computedMs: 1 } as const;
export const phase = { probing: 0, live: 1, over: 2 } as const;
