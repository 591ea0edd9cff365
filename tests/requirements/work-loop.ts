import { rules } from './rules.ts';

export const workLoop = [
  ...rules('interface §4, contract 4', {
    'ready:across-all-plans': 'GET /api/plans/ready lists the ready nodes of all active plans.',
    'ready:one-plan': 'GET /api/plans/ready with `plan` lists the ready nodes of that plan only.',
    'ready:in-ready-order': 'Ready work is sorted by leverage, in ready order.',
    'ready:claimed-by-when-held': 'A ready entry carries `claimedBy` when someone holds the node.',
    'claim:succeeds':
      'A claim of a free node answers 200 `{ claimed: true, expiresAt, node, readyWarning, fence }` and the agent holds it.',
    'claim:not-ready-warns': 'A claim of a node that is not ready succeeds with `readyWarning` set.',
    'claim:session-optional': 'A claim takes an optional `session` and the claim shows it.',
    'report:sets-note': 'A report by the holder attaches its note to the claim or replaces the one there.',
    'report:renews-lease': 'A report by the holder renews the lease.',
    'release:frees': 'A release by the holder ends the claim and answers 200 `{ released: true, node }`.',
    'loop:mcp-twins':
      'The MCP tools next_ready_nodes, claim_node, report_node and release_node are the twins of the work loop.',
  }),
  ...rules('interface §4, interface §7', {
    'claim:unknown-plan-404': 'A claim in an unknown plan answers 404 `plan_not_found`.',
    'claim:unknown-node-404': 'A claim of an unknown node answers 404 `node_not_found`.',
  }),
  ...rules('interface §3', {
    'claim:expired-lease-is-free': 'A node whose lease has ended can be claimed by anyone.',
    'claim:conflict-changes-nothing': 'A refused claim leaves the claim of the holder unchanged.',
    'report:refusal-changes-nothing': 'A refused report leaves the claim of the holder unchanged.',
  }),
  ...rules('contract 4', {
    'ready:by-repository': 'GET /api/plans/ready with `repository` lists only nodes of that repository.',
    'ready:by-label': 'GET /api/plans/ready with `label` lists only nodes that carry the label.',
    'ready:unclaimed-only': 'GET /api/plans/ready with `unclaimed=true` leaves out nodes under a live claim.',
    'ready:only-ready-nodes': 'Every entry of the ready list is a node status view with `ready: true`.',
    'claim-next:takes-the-best':
      'POST /api/plans/ready/claim takes the first ready unclaimed node and answers as a claim.',
    'claim-next:filters': 'A claim-next takes `plan`, `repository` and `label` and takes only what fits them.',
    'claim-next:unbound-only-when-asked': 'A claim-next takes an unbound node only with `unbound: true`.',
    'claim-next:nothing-ready':
      'A claim-next that finds nothing answers 200 `{ claimed: false, reason: "nothing_ready" }`.',
    'claim-next:one-step': 'Concurrent claim-next calls take different nodes; none of them is told of a lost race.',
    'claim-next:mcp': 'The MCP tool claim_next is the twin of POST /api/plans/ready/claim.',
    'report:answer': 'A report answers 200 `{ reported: true, expiresAt, node }`.',
    'release:nothing-held': 'A release of a node that nobody holds answers 200 `{ released: false, node }`.',
    'release:held-by-another-409': 'A release of a node held by another answers 409 `not_holder`.',
    'loop:node-after-the-call': 'The `node` in a work-loop answer is the node status view after the call.',
    'agent:blank-required': 'An `agent` that is absent, no string or blank is `agent_required` whatever else is wrong.',
    'lease:minutes-range': '`leaseMinutes` is a number over 0 and at most 1440; anything else is a 400.',
    'lease:fraction-of-a-minute': '`leaseMinutes` may be a fraction, such as half a minute.',
    'lease:ends-by-the-clock': 'A lease ends by the clock of the store even when no timer fires.',
    'lease:monotonic-on-sqlite':
      'On SQLite a change of the wall clock while running neither ends nor lengthens a lease.',
    'holder:same-agent': 'The holder is the same `agent`: another label is not the holder.',
    'holder:one-side-without-session-is': 'The same agent is the holder when the claim or the caller names no session.',
    'holder:same-test-everywhere': 'Claim, report and release use the same test of who the holder is.',
    'renew:same-claim': 'A claim by the holder renews: same claim, same fence, same note.',
    'renew:takes-over-session': 'A claim by the holder that names a session gives the claim that session.',
    'renew:length-last-asked': 'A renewal without `leaseMinutes` runs from now for the length last asked for.',
    'renew:may-shorten': 'A renewal with `leaseMinutes` runs from now for that length, even when that is shorter.',
    'report:absent-note-keeps': 'A report without `note` keeps the note of the claim.',
    'report:empty-note-clears': 'A report with an empty `note` clears the note of the claim.',
    'report:session-replaces': 'A report with `session` replaces the session of the claim.',
    'report:no-live-claim-409': 'A report without a live claim answers 409 `not_holder`, to the last holder too.',
    'fence:holder-checked-first': 'A caller who is not the holder and has a wrong fence gets `not_holder`.',
    'fence:refusals-tell-the-holder': '`not_holder` and `stale_fence` carry `heldBy` and `heldUntil`, null when free.',
    'fence:stale-409': 'A report or release with a fence other than the one of the claim answers 409 `stale_fence`.',
    'claim:done-before-held': 'A claim of a done node that another holds answers `node_done`, not the 409.',
    'claim:done-for-holder-too': 'A new claim of a done node by its holder answers 400 `node_done`.',
    'report:works-on-done-node': 'The holder of a done node can still report and release it.',
    'report:works-on-archived-plan': 'The holder of a node of an archived plan can still report and release it.',
    'claim:archived-plan-404': 'A new claim in an archived plan answers 404.',
    'claim:exactly-one-wins': 'Of any number of concurrent claims of a node exactly one wins on one host.',
    'claim:durable-before-200': 'A claim that was answered with 200 survives SIGKILL right after the answer.',
    'claim:ready-warning-null': '`readyWarning` is null when the node is ready.',
    'claim:ready-warning-shape': '`readyWarning` is `{ message, waitingFor: [ref] }` when the node is not ready.',
  }),
  ...rules('contract 4, contract 14', {
    'lease:database-clock-on-postgres':
      'On PostgreSQL a lease is decided by the clock of the database, so hosts whose clocks differ agree on its end.',
    'claim:exactly-one-wins-across-hosts': 'Of claims racing on several hosts of one PostgreSQL exactly one wins.',
  }),
  ...rules('interface §4, interface §7, contract 4', {
    'ready:unknown-plan-404': 'GET /api/plans/ready answers 404 when `plan` names no active plan.',
    'claim:held-409':
      'A claim of a node under a live lease of another answers 409 `{ claimed: false, heldBy, heldUntil }`.',
    'claim:done-400': 'A claim of a node that is done answers 400 `node_done`.',
    'claim:agent-required': 'A claim without `agent` answers 400 `agent_required`.',
    'report:not-holder-409': 'A report by anyone but the holder answers 409 `not_holder` and says to claim first.',
  }),
  ...rules('interface §2, interface §4, interface §8, contract 4', {
    'claim:default-lease': 'A claim without `leaseMinutes` gets a lease of 30 minutes.',
  }),
  ...rules('interface §3, interface §4, contract 3, contract 4', {
    'release:status-stays-observed':
      'A release leaves the status of the node as observation says and never makes it done.',
  }),
  ...rules('contract-3 3', {
    'holder:live-other-session-is-not':
      'The same agent with a session other than the one of the claim is not the holder unless that one was observed and is gone.',
    'holder:dead-other-session-is':
      'The same agent with another session is the holder when the session of the claim was observed and is gone.',
    'holder:unobserved-is-not-gone': 'A session that was never observed is not gone.',
    'holder:fence-shown': 'The same agent with another session is the holder when it shows the fence of the claim.',
    'renew:answer-says-so': 'The answer to a renewal carries `renewed: true`.',
  }),
] as const;
