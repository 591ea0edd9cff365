import type { MonitorEvent } from '../events.ts';

/** What the sending thread is told at its start. */
export type ThreadSettings = {
  url: string;
  token: string | null;
  runId: string;
  participant?: string;
  /** Whether this process knows how far the run is. */
  counts: boolean;
  /** The repository, and where `git` is looked for. */
  root: string;
  searchPath: string;
  probeMs: number;
  stallMs: number;
  startedAt: number;
  processId: number;
  shared: SharedArrayBuffer;
};

/** Events to send, or the word that no more will come. */
export type Message = { events: readonly MonitorEvent[] } | 'drain';

/** Slots of the shared memory, so that even a thread that cannot receive messages knows how the other stands. */
export const slot = { phase: 0, computedMs: 1 } as const;
export const phase = { probing: 0, live: 1, over: 2 } as const;
