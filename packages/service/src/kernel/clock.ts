/** The only source of time. `wall` is milliseconds since 1970; `monotonic` never goes back. */
export type Clock = {
  wall(): number;
  monotonic(): number;
  /** Milliseconds since the machine was started, its sleep included; missing where the system has no such clock. */
  boot?(): number;
  /** Runs `work` every `ms`, never twice at once; returns how to stop it. */
  every(ms: number, work: () => void | Promise<void>): () => void;
};

export const iso = (ms: number): string => new Date(ms).toISOString();

export const dayMs = 24 * 60 * 60_000;
