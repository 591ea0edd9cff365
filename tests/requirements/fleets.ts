import { rules } from './rules.ts';

export const fleets = [
  ...rules('contract-3 2', {
    'attempts:counted':
      '`attempts: { failed, limit, last }` counts releases with `failed` and leases that ran out, the last five newest first.',
    'attempts:forgotten': 'Attempts are counted since the node was last done, changed by its author, or reset.',
    'attempts:limit': 'The limit is `maxAttempts` of the node, else of its plan, else `Service:MaxAttempts` (5).',
    'attempts:parked':
      'At the limit a node is `parked: "attempts"`: claim_next passes it by, ready lists keep it last, claim_node takes it.',
    'attempts:need': 'A parked node is a need with its last notes.',
    'attempts:reset': '`POST .../reset` clears the attempts, for who has the scope author.',
    'back-off:doubled': 'After a release with `failed`, `notBefore` is 30 s, doubled each time, at most 30 min.',
    'back-off:not-after-expiry': 'A lease that ran out makes nobody wait.',
    'back-off:given': '`release` may give `notBefore` itself, with any outcome.',
    'back-off:why': 'claim_next explains in `why` which ready nodes it passed by.',
  }),
  ...rules('contract-3 3', {
    'result:inputs': "`release` takes `result`; the answer to a dependent's claim has it in `inputs` with the note.",
    'result:bounded': 'A result has at most 16 KB; in MCP one that does not fit is `{ truncated: true, bytes }`.',
    'report:progress': '`report` takes `progress` from 0 to 1, shown as `claim.progress`.',
  }),
] as const;
