import { rules } from './rules.ts';

export const planDocuments = [
  ...rules('contract 3', {
    'document:members':
      'A plan document has plan, title, description, repository and nodes; a node has id, title, description, repository, labels, estimateMinutes, dependsOn and binding.',
    'document:yaml-and-json': 'A plan document is YAML or JSON with the same members.',
    'document:json-schema': 'A JSON Schema of the plan document is published for editors.',
    'document:plan-repository-is-default': 'A node without a repository has the repository of its plan.',
    'reference:bare-inside-own-plan':
      'Inside the document, `edges` and `order` of a plan a reference to its own node is the bare node id.',
    'reference:full-in-views': 'In every view a reference is written `<plan>/<node>`.',
    'reference:own-plan-shortened': '`<own plan>/<node>` is accepted in a document and shortened to the node id.',
    'reference:unknown-own-node-400': 'A reference to an unknown node of the own plan is a 400.',
    'reference:unknown-elsewhere-kept':
      'A reference to an unknown plan or to an unknown node of another plan is kept and blocks.',
    'reference:unknown-elsewhere-missing': 'A dependency that cannot be found is shown with `missing: true`.',
  }),
  ...rules('interface §2, contract 3', {
    'node:unique-in-plan': 'A node id is unique within its plan.',
    'reference:cross-plan': 'A dependency on a node of another plan is written `<plan>/<node>`.',
  }),
  ...rules('contract 3', {
    'binding:issue-done-when-closed': 'A node bound to an issue is done when the issue is closed.',
    'binding:pull-request-done-when-merged': 'A node bound to a pull request is done when it is merged.',
    'binding:pull-request-failed-when-closed': 'A node bound to a pull request has failed when it is closed unmerged.',
    'binding:suite-done-when-clean':
      'A node bound to a suite is done when the newest ended matching run has exit code 0, a verdict, and no failed, indeterminate or lost scenario.',
    'binding:suite-failed-otherwise':
      'A node bound to a suite has failed when its newest ended matching run is not clean.',
    'binding:suite-failed-when-orphaned':
      'A node bound to a suite has failed when its newest matching run is orphaned.',
    'binding:suite-without-verdict-not-done':
      'A run with exit code 0, no verdict and no passes in its figures does not prove a node.',
    'binding:suite-branch': 'A suite binding with `branch` counts only runs of that branch.',
    'binding:suite-default-tag':
      'A suite binding without `suite` matches the tag `<plan>/<node>` unless `tag` is given.',
    'binding:suite-effective-tag-in-views':
      'Views show the effective tag of a suite binding and the document what was authored.',
    'binding:suite-alone-needs-repository':
      'A binding with `suite` alone counts only runs whose `repositoryName` is the repository of the node, where it has one.',
    'binding:package-done-when-published':
      'A node bound to a package is done when a version in the semver range is on the npm or NuGet feed.',
    'binding:dependency-done-when-taken':
      'A node bound to a dependency is done when the committed manifest of the repository takes a matching version.',
    'binding:commit-done-when-trailer':
      'A node bound to a commit is done when a commit on the branch carries the trailer `Plan-Node: <plan>/<node>`.',
    'binding:commit-default-branch': 'A commit binding without `branch` looks at the default branch.',
    'binding:commit-local-clone': 'A commit binding is observed in a registered local clone without any network.',
    'binding:sign-off-done-when-signed': 'A node bound to a sign-off is done when a person signs off.',
    'binding:unbound-never-done': 'A node without a binding is shown as `unbound` and is never done.',
    'binding:unbound-why': 'The `why` of an unbound node says to bind it.',
    'evidence:provenance': 'Every fact is `observed` when an observer saw it and `asserted` when someone said so.',
    'evidence:turns': 'When the observation turns, such as an issue reopened, the node stops being done.',
    'evidence:done-stays-while-running': 'A done node stays done while a new run of its suite is live.',
    'evidence:later-404-keeps': 'A 404 of something seen before leaves the last evidence standing.',
    'evidence:error-keeps': 'An error of an observer leaves the last evidence standing.',
    'evidence:rate-limit-keeps': 'A rate limit leaves the last evidence standing and the detail says until when.',
    'evidence:lost-sight-is-told': 'When sight is lost `evidence.detail` and `why` say so.',
    'evidence:missing-when-never-seen':
      'Evidence reads `missing` for an issue, pull request or repository that is a 404 and was never seen.',
    'evidence:nothing-yet':
      'No matching run, manifest or package yet reads `notObserved`, `notTaken` or `notPublished`, not `missing`.',
    'evidence:states': '`evidence.state` is always one of the eighteen words of the contract.',
    'evidence:members':
      '`evidence` has state, detail, url, runId, provenance and observedAt; url, runId and observedAt may be null.',
    'evidence:null-only-when-unbound': '`evidence` is null for an unbound node and for no other.',
    'sign-off:other-binding-400': 'A sign-off of a node with another binding or none is a 400.',
    'sign-off:other-person-400': 'A sign-off by someone other than `who` is a 400.',
    'sign-off:self-400':
      'A sign-off by the agent of the current or last claim of the node answers 400 `self_sign_off`.',
    'webhook:signed-204': 'POST /api/observations/github with a valid signature answers 204 and speeds up observation.',
    'webhook:accelerator-only': 'A webhook delivery only makes the observer look sooner; its content proves nothing.',
  }),
  ...rules('contract 1, contract 3', {
    'webhook:bad-signature-401': 'A webhook delivery with a wrong signature answers 401 `signature_invalid`.',
  }),
  ...rules('contract 2', {
    'webhook:without-secret-404': 'Without `Service:GitHubWebhookSecret` the webhook route answers 404.',
  }),
] as const;
