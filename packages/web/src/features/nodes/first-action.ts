import type { NodeView } from '../../live/wire.ts';

type FirstActionNode = Pick<NodeView, 'status' | 'claim' | 'unbound' | 'evidence' | 'dependsOn'>;

export type FirstAction = 'claim' | 'report' | 'resume' | 'session' | 'waits' | 'run' | 'evidence' | 'bind' | 'none';

export const isMine = ({ claim }: Pick<NodeView, 'claim'>, me: string): boolean =>
  claim !== null && me !== '' && claim.agent === me;

export const openDependencies = ({ dependsOn }: Pick<NodeView, 'dependsOn'>): string[] =>
  dependsOn.filter(({ done }) => !done).map(({ ref }) => ref);

/** The one action that a person should take for the state of a node. A claim of somebody else is never taken over. */
export function firstActionOf(node: FirstActionNode, me: string): FirstAction {
  const { status, claim, unbound } = node;
  if (status === 'done') return evidenceAction(node);
  if (isMine(node, me)) return 'report';
  if (claim?.health === 'orphaned' && claim.sessionId) return 'resume';
  if (status === 'failed' || status === 'running') {
    const action = evidenceAction(node);
    if (action !== 'none') return action;
  }
  if (claim) return claim.sessionId ? 'session' : 'none';
  if (unbound) return 'bind';
  if (status === 'submitted') return evidenceAction(node);
  return openDependencies(node).length > 0 ? 'waits' : 'claim';
}

function evidenceAction({ evidence }: FirstActionNode): FirstAction {
  if (evidence?.runId) return 'run';
  return evidence?.url && /^https?:/.test(evidence.url) ? 'evidence' : 'none';
}
