import type { Binding, Claim, Evidence, Health } from '../../live/wire.ts';

/** The proof of a node, in one line. */
export function bindingText(binding: Binding | null): string {
  if (!binding) return 'nothing proves it';
  switch (binding.kind) {
    case 'issue':
      return binding.issue;
    case 'pullRequest':
      return (
        binding.pullRequest ??
        `pull request of ${binding.repository} ${binding.branch ? `from ${binding.branch}` : 'with Plan-Node'}`
      );
    case 'suite':
      return `suite ${[binding.suite, binding.tag && `tag ${binding.tag}`, binding.branch && `on ${binding.branch}`].filter(Boolean).join(' ')}`;
    case 'package':
      return `${binding.name} ${binding.version} on ${binding.registry}`;
    case 'dependency':
      return `${binding.repository} takes ${binding.name} ${binding.version}`;
    case 'commit':
      return `commit with Plan-Node${binding.branch ? ` on ${binding.branch}` : ''}`;
    case 'signOff':
      return binding.who ? `sign-off by ${binding.who}` : 'sign-off by a person';
  }
}

const evidenceStates: Record<string, string> = {
  notObserved: 'not observed yet',
  closedUnmerged: 'closed unmerged',
  notPublished: 'not published',
  notTaken: 'not taken',
  noCommit: 'no commit yet',
  notSigned: 'not signed off',
};
export const evidenceText = ({ state }: Evidence): string => evidenceStates[state] ?? state;

const linkSources: Record<string, string> = {
  argument: 'The agent named its session',
  client: 'The client named the session',
  hook: 'A hook reported the session',
  inferred: 'The only session in the repository when it was claimed',
};
export const linkSource = (by: Claim['linkedBy']): string =>
  linkSources[by ?? ''] ?? 'The source of the link is unknown';

const causes: Record<string, string> = {
  no_session: 'no session was named or found',
  session_not_observed: 'the named session is not on this host',
  several_sessions: 'several live sessions share the repository',
  no_repository: 'the node names no repository',
};

/** `process_exited` and its like, as words. */
export const reasonText = (reason: string | null): string =>
  reason === null ? '' : (causes[reason] ?? reason.replaceAll('_', ' '));

const troubles: Partial<Record<Health, [string, string]>> = {
  stalled: ['Stalled.', 'The session is alive but stopped between turns. The lease continues.'],
  orphaned: ['Orphaned.', 'The session is gone. Nobody works on this until the lease ends.'],
  unknown: ['Unknown.', 'A session holds it. Its state cannot be determined.'],
};

export function claimTrouble({
  health,
  reason,
}: Pick<Claim, 'health' | 'reason'>): { title: string; text: string } | null {
  const [title, text] = troubles[health] ?? [];
  if (!title || !text) return null;
  return { title, text: reason ? `${text} Cause: ${reasonText(reason)}.` : text };
}
