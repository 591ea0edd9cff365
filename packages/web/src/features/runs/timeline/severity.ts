import type { ScenarioView } from '../../../live/wire.ts';
import type { Tone } from '../../../ui/appearance.tsx';

/** The parts of an attempt that decide its severity. */
type Attempt = { outcome: ScenarioView['outcome']; open: boolean; attempt: number };

/** From the best to the worst: if several share a pixel, the worst is shown. */
export const severity: readonly Tone[] = ['done', 'blocked', 'active', 'indet', 'warn', 'fail'];

export const toneOf = ({ rank }: { rank: number }): Tone => severity[rank] ?? 'indet';

/** The index of its tone in `severity`; stored on each bar, because every frame needs it for every bar. */
export const rankOf = (attempt: Attempt): number => severity.indexOf(stateOf(attempt));

function stateOf({ outcome, open, attempt }: Attempt): Tone {
  if (outcome === null) return open ? 'active' : 'indet';
  if (outcome === 'Failed' || outcome === 'Aborted') return 'fail';
  if (outcome === 'Skipped') return 'blocked';
  return outcome === 'PassOnRetry' || attempt > 1 ? 'warn' : 'done';
}
