import { rules } from './rules.ts';

export const planImports = [
  ...rules('interface §4, contract 3', {
    'import:creates-or-changes': 'PUT /api/plans/{slug} imports a document as the difference to the plan.',
    'import:seed-removes-nothing':
      'A directory import adds and changes nodes and never removes one that the file lacks.',
    'import:seed-names-kept': 'The report of a seed import names in `kept` every node that the file lacks.',
    'rescan:imports-directory':
      'POST /api/plans/rescan imports the directory of `Service:PlansPath` again, in seed shape.',
    'history:every-event': 'The history answers every event of the plan with who and when.',
  }),
  ...rules('contract 3', {
    'import:created-201': 'An import that creates the plan answers 201 with `created: true`.',
    'import:existing-200': 'An import into an existing plan answers 200.',
    'import:restored-200': 'An import that restores an archived plan answers 200 with `created: false`.',
    'import:slug-optional': 'The document of an import may leave out `plan`.',
    'import:report-members': 'The import report has all the members that the contract lists.',
    'import:report-itemized':
      'The report names what was added, changed by field, removed, kept and unchanged, and each dependency added or removed.',
    'import:dry-run': 'An import with `dryRun=true` answers the report and changes nothing.',
    'import:full-is-default': 'A PUT without `mode` imports in full shape.',
    'import:mode-seed': 'A PUT with `mode=seed` imports in seed shape.',
    'import:full-removes': 'A full import removes nodes that the document lacks.',
    'import:full-clears': 'A full import clears members that the document lacks.',
    'import:full-claimed-409': 'A full import that would remove a node under a live claim answers 409 `node_claimed`.',
    'import:full-force': 'A full import with `force=true` removes a claimed node too.',
    'import:full-references-missing':
      'References from other plans to a node that a full import removed become `missing`.',
    'import:seed-keeps-members': 'A seed import leaves a member that the file does not mention as it is.',
    'import:seed-unites-dependencies': 'A seed import unites the dependencies of the file with those of the plan.',
    'import:directory-never-restores': 'A directory import skips an archived plan and reports `skipped: "archived"`.',
    'import:put-restores': 'An explicit PUT restores an archived plan.',
    'import:at-start-by-service': 'An import at start is recorded as done by `service`.',
    'import:no-change-no-event': 'An import that changes nothing adds no event.',
    'history:members': 'A history entry has sequence, version, type, by, at, provenance, data and says.',
    'history:oldest-first': 'The history is oldest first with `sequence` from 1 up.',
    'history:merged': 'The history merges the authoring, claim and evidence events of the plan.',
    'history:version-is-authoring':
      '`version` is the authoring version after the event; claims and evidence do not raise it.',
    'history:provenance': '`provenance` is `observed` for evidence and `asserted` for everything else.',
    'history:by-agent': '`by` of a claim event is the agent.',
    'history:by-observer': '`by` of an evidence event is `observer:<kind>`.',
    'history:says': '`says` is one readable sentence.',
    'history:after': 'The history with `after` answers only later events.',
    'history:limit': 'The history with `limit` answers at most so many events.',
    'history:only': 'The history with `only` answers only authoring, claim or evidence events.',
    'history:empty-filter': 'A filter that leaves nothing answers [].',
    'history:authoring-types': 'Authoring writes the event types of the contract with their data.',
    'history:claim-types':
      'Claims write `node_claimed`, `claim_reported`, `claim_released` and `claim_expired` with their data.',
    'history:renewed': '`node_claimed` tells in `renewed` whether the claim was renewed.',
    'history:node-changed-from-to': '`node_changed` tells of each field what it was and what it is.',
    'history:expired-once': '`claim_expired` is written once, within seconds after the end of the lease.',
    'history:expired-decides-nothing':
      'A new claim after the end of a lease does not wait for the `claim_expired` note.',
    'history:signed-off': 'A sign-off and its revocation write `node_signed_off` with `revoked`.',
    'history:evidence-on-change-only': '`evidence_observed` is written only when what was observed changes.',
  }),
  ...rules('interface §6', {
    'history:by-names-actor': 'An authoring event names in `by` the actor that the call gave, over REST and MCP alike.',
  }),
  ...rules('interface §4, interface §7, contract 3', {
    'history:none-404': 'The history of a stream without events, an unknown plan included, answers 404 `no_history`.',
  }),
] as const;
