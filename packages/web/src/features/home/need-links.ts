import type { Need } from '../../live/wire.ts';
import { paths } from '../../paths.ts';

/** The page that shows a need, and the text of its link. */
export function needLink({ kind, ref, sessionId, runId, root }: Need): { href: string; label: string } {
  switch (kind) {
    case 'agent_waiting':
      return { href: sessionId ? paths.session(sessionId) : paths.agents, label: 'Open session' };
    case 'claim_orphaned':
    case 'claim_of_ended_token':
    case 'claim_stalled':
    case 'node_parked':
    case 'node_submitted':
    case 'sign_off_awaited':
      return { href: ref ? paths.nodeRef(ref) : paths.agents, label: 'Open node' };
    case 'node_failed':
      return runId
        ? { href: paths.run(runId), label: 'Open failing run' }
        : { href: ref ? paths.nodeRef(ref) : paths.plans, label: 'Open node' };
    case 'run_failing':
    case 'run_unreadable':
    case 'console_unreadable':
      return { href: runId ? paths.run(runId) : paths.runs, label: 'Open run' };
    case 'history_replaced':
      return { href: paths.audit, label: 'Open audit' };
    case 'host_unreachable':
    case 'clocks_apart':
      return { href: paths.agents, label: 'Open agents' };
    case 'tree_contested':
      return { href: paths.tree(root ?? ''), label: 'Show tree' };
    case 'lines_overlap':
      return { href: paths.changes(), label: 'Show changes' };
    case 'worktree_cleanup':
      return { href: paths.tree(root ?? ''), label: 'Check and clean up' };
  }
}
