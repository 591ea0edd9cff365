/** The kinds of needs, most urgent first: a waiting agent does nothing until somebody answers. */
export const needOrder = [
  'history_replaced',
  'agent_waiting',
  'claim_orphaned',
  'claim_of_ended_token',
  'claim_stalled',
  'tree_contested',
  'lines_overlap',
  'node_failed',
  'node_parked',
  'node_submitted',
  'sign_off_awaited',
  'run_failing',
  'run_unreadable',
  'console_unreadable',
  'host_unreachable',
  'clocks_apart',
  'worktree_cleanup',
] as const;

export type NeedKind = (typeof needOrder)[number];
