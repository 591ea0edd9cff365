import { rules } from './rules.ts';

export const fleets = [
  ...rules('contract-3 2', {
    'attempts:counted':
      '`attempts: { failed, limit, last }` counts releases with `failed` and leases that ran out, the last five newest first.',
    'attempts:forgotten': 'Attempts are counted since the node was last done, changed by its author, or reset.',
    'attempts:limit': 'The limit is `maxAttempts` of the node, else of its plan, else `Service:MaxAttempts` (5).',
    'attempts:parked':
      'At the limit a node is `parked: "attempts"`: claim_next skips it, ready lists keep it last, claim_node takes it.',
    'attempts:need': 'A parked node is a need with its last notes.',
    'attempts:reset': '`POST .../reset` clears the attempts; it needs the author scope.',
    'back-off:doubled': 'After a release with `failed`, `notBefore` is 30 s, doubled each time, at most 30 min.',
    'back-off:not-after-expiry': 'A lease that ran out makes nobody wait.',
    'back-off:given': '`release` may give `notBefore` itself, with any outcome.',
    'back-off:why': 'claim_next explains in `why` which ready nodes it skipped.',
    'priority:order': 'Ready work is ordered by priority, then by leverage.',
    'priority:inherited':
      "A node has the highest priority of its own, else its plan's, and those of the open nodes that depend on it; only what was said counts.",
    'priority:written': 'Views show the effective priority, documents the written one.',
    'max-claims:plan': 'claim_next hands out no more than `maxClaims` nodes of a plan at once.',
    'max-claims:repository': 'claim_next hands out no more than `maxClaims` nodes of a repository at once.',
    'max-claims:by-name': 'claim_node beyond `maxClaims` answers with a `readyWarning`.',
    'budget:spent':
      '`spent: { tokens, claims }` counts what linked sessions used during their claims, live ones included.',
    'budget:parked': 'Over its own budget, or that of its plan, a node is `parked: "budget"` and a need.',
  }),
  ...rules('contract-3 3', {
    'result:inputs': "`release` takes `result`; the answer to a dependent's claim has it in `inputs` with the note.",
    'result:bounded': 'A result has at most 16 KB; in MCP one that does not fit is `{ truncated: true, bytes }`.',
    'split:adds':
      '`split` adds nodes to the plan, makes the held node wait for each and releases it; its attempts do not count.',
    'split:one-step': 'A split is one step with one history entry, `node_split`.',
    'split:holder-only': 'Only the holder splits a node, with the work scope; the fence is checked where given.',
    'holder:adds-dependencies': 'The holder adds dependencies to its node with the work scope.',
    'holder:binds':
      'The holder binds its unbound node to a pull request or issue of its repository, or one bound by repository to a number of that.',
    'pull-request:by-branch': 'A `pullRequest` binding by repository and branch observes the newest of that head.',
    'pull-request:by-trailer':
      'A `pullRequest` binding by repository alone observes the newest whose body or commits carry `Plan-Node: plan/node`.',
    'pull-request:one-form': 'A `pullRequest` binding has a number or a repository, not both.',
    'trailer:told': "The answer to a claim of a `commit` or `pullRequest` node has the node's trailer.",
    'report:progress': '`report` takes `progress` from 0 to 1, shown as `claim.progress`.',
  }),
] as const;
