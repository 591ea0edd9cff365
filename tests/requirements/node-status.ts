import { rules } from './rules.ts';

export const nodeStatus = [
  ...rules('contract 3', {
    'status:first-that-applies':
      'The status of a node is the first that applies of done, running, failed, claimed, blocked, ready.',
    'status:running': 'A node is `running` when a run of its bound suite is live and it is not done.',
    'status:failed': 'A node is `failed` when its evidence says no.',
    'status:claimed': 'A node is `claimed` when a live lease holds it.',
    'status:blocked': 'A node is `blocked` when a dependency is not done or cannot be found.',
    'status:derived': 'The status is derived on every read and never stored.',
    'status:ready-flag':
      '`ready` is true when a node is not done, has no live run of its suite and all its dependencies are done.',
    'status:claimed-may-be-ready': 'A claimed node may have `ready: true`.',
    'status:failed-offered-again': 'A failed node whose dependencies are done is offered as ready work again.',
    'leverage:counts-not-done-dependents':
      'Leverage is the number of distinct not-done nodes that depend on a node directly or through others.',
    'leverage:across-active-plans': 'Leverage counts dependents in all active plans and none in archived ones.',
    'leverage:done-ones-are-links': 'A done node in between links its dependents but is not counted.',
    'order:leverage-first': 'Ready order is by leverage, most first.',
    'order:then-longest-path': 'At equal leverage the longest remaining path comes first.',
    'order:path-counts-estimates':
      'The remaining path is the sum of estimates, the own one included, with 60 minutes where there is none.',
    'order:then-added-earliest': 'At equal path the node that was added earliest comes first.',
    'order:then-by-name': 'At equal age the order is by `plan/id`.',
    'order:deterministic': 'The same plans give the same ready order every time.',
    'status:why': '`why` says in one line why a node stands where it does or what it waits for.',
    'archived-dependency:by-last-evidence':
      'A dependency on a node of an archived plan counts as done by its last evidence.',
    'archived-dependency:else-blocks':
      'A dependency on an undone node of an archived plan blocks, and `why` names that plan.',
    'node-view:members': 'A node status view has all its members, with null or [] where there is nothing.',
    'node-view:same-everywhere': 'The same node status view is used wherever a node is shown.',
    'node-view:depends-on': 'Each entry of `dependsOn` tells ref, status, done and missing.',
    'node-view:dependents': '`dependents` lists the refs of the nodes that depend on this one, other plans included.',
    'node-view:effective-repository': 'The view shows the effective repository of a node.',
    'claim-view:live-only': '`claim` and `claimedBy` are null when no lease is live.',
    'claim-view:members': 'A claim view has all the members that the contract lists.',
    'claim-view:previous': 'A claim shows the claim before it as `previous`.',
    'claim-view:session-and-session-id':
      '`session` is what the caller supplied and `sessionId` what the claim was linked to.',
    'fence:grows': '`fence` grows with every new claim of a node.',
    'last-claim:kept':
      '`lastClaim` tells agent, session, note and times of the claim before, so that work is handed on.',
    'last-claim:how': '`lastClaim.how` is `released`, `expired` or `removed`, as the claim ended.',
    'last-claim:health-survives-restart': 'The last health and reason seen of an ended claim survive a restart.',
  }),
  ...rules('interface §3, contract 3', {
    'last-claim:orphan-explained':
      'An orphaned claim that ran out stays explainable: `lastClaim` keeps its health and reason.',
  }),
  ...rules('interface §2', {
    'node-view:carries-claim-health': 'Claim health is carried on the status view of each claimed node.',
  }),
] as const;
