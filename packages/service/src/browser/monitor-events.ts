export type { MonitorEvent } from '../console/runs/events.ts';
export type { Outcome } from '../console/runs/run.ts';
