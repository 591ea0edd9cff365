import type { NeedKind } from '../../live/wire.ts';
import { type Appearance, appearances } from '../../ui/appearance.tsx';

/** The appearance of a kind of need, and the name of a group of them. */
export const needAppearances: Record<NeedKind, { appearance: Appearance; group: string }> = {
  history_replaced: { appearance: { ...appearances.unknown, label: 'Replaced' }, group: 'History replaced' },
  agent_waiting: { appearance: appearances.waiting, group: 'Agents waiting for you' },
  claim_orphaned: { appearance: appearances.orphaned, group: 'Orphaned claims' },
  claim_of_ended_token: { appearance: appearances.orphaned, group: 'Claims of tokens that ended' },
  claim_stalled: { appearance: appearances.stalled, group: 'Stalled claims' },
  tree_contested: { appearance: appearances.contested, group: 'Contested working trees' },
  lines_overlap: { appearance: { ...appearances.contested, label: 'Same lines' }, group: 'Changes of the same lines' },
  node_failed: { appearance: appearances.failed, group: 'Failed evidence' },
  node_parked: { appearance: appearances.failed, group: 'Failed too often, parked' },
  node_submitted: { appearance: appearances.submitted, group: 'Submitted, waiting for your decision' },
  sign_off_awaited: { appearance: appearances.waiting, group: 'Sign-offs awaited' },
  run_failing: { appearance: appearances.failing, group: 'Live runs with failures' },
  run_unreadable: { appearance: { ...appearances.unknown, label: 'Unreadable' }, group: 'Runs that cannot be read' },
  console_unreadable: {
    appearance: { ...appearances.unknown, label: 'Unreachable' },
    group: 'Run consoles that cannot be read',
  },
  host_unreachable: { appearance: { ...appearances.unknown, label: 'Unreachable' }, group: 'Hosts that are away' },
  clocks_apart: { appearance: { ...appearances.unknown, label: 'Clock' }, group: 'Clocks apart' },
  worktree_cleanup: { appearance: appearances.cleanup, group: 'Worktrees to clean up' },
};
