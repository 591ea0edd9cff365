/** The run fold as the browser uses it: the same events, the same fold, the same views. */
export type { MonitorEvent } from '../console/runs/events.ts';
export { foldEvent } from '../console/runs/fold.ts';
export { readEvent } from '../console/runs/read-event.ts';
export { newRun, type Run } from '../console/runs/run.ts';
export * from '../console/runs/run-views.ts';
