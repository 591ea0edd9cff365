import type { RunSummary } from '../../live/wire.ts';

export type Signal = 'running' | 'red' | 'green' | 'unclear';

/** The state of a run at a glance; a live run is red from its first failure. */
export function signalOf({ state, failed, green }: Pick<RunSummary, 'state' | 'failed' | 'green'>): Signal {
  if (failed > 0) return 'red';
  if (state === 'running') return 'running';
  return green ? 'green' : 'unclear';
}

const marks: Record<Signal, string> = { running: '▶', red: '✗', green: '✓', unclear: '?' };

/** The title of the tab: progress, result and suite. */
export function tabTitle(run: RunSummary): string {
  const mark = marks[signalOf(run)];
  const total = Math.max(run.totalScenarios ?? 0, run.scenarios);
  const share = total > 0 ? ` ${Math.floor((run.scenariosFinished / total) * 100)} %` : '';
  const failed = run.failed > 0 ? ` ${run.failed} failed` : '';
  return `${run.suite} ${mark}${run.state === 'running' ? share : ''}${failed}`;
}

const colours: Record<Signal, string> = { running: '#6f77ff', red: '#f43964', green: '#3bb999', unclear: '#8580a9' };
const shapes: Record<Signal, string> = {
  running: '<path d="M6 4l7 4-7 4z" fill="#fff"/>',
  red: '<path d="M5 5l6 6M11 5l-6 6" stroke="#fff" stroke-width="2"/>',
  green: '<path d="M4 8l3 3 5-6" fill="none" stroke="#fff" stroke-width="2"/>',
  unclear: '<circle cx="8" cy="8" r="2" fill="#fff"/>',
};

/** The icon of the tab; it differs in colour and in shape. */
export const tabIcon = (signal: Signal): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${colours[signal]}"/>${shapes[signal]}</svg>`,
  )}`;
