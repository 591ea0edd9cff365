import { rules } from './rules.ts';

export const submissions = [
  ...rules('contract-3 1', {
    'submit:status':
      'A release with `outcome: "submitted"` gives the node the status `submitted`, after `claimed` and before `blocked`.',
    'submit:view': 'A submitted node carries `submission: { agent, session, at, note, until }`, and every other null.',
    'submit:not-ready': 'A submitted node is not ready, is in no ready list and is never handed out by claim_next.',
    'submit:note-kept': 'A release without `note` keeps the note of the claim, in the submission too.',
    'submit:counted': 'The counts of a plan have `submitted`.',
    'submit:history': 'The history has `node_submitted`, and `submission_ended` with how it ended.',
    'submit:dependents-wait':
      'A dependent of a submitted node stays blocked, and its `why` says who submitted it and how long ago.',
    'submit:earlier-evidence': 'While a submission stands, evidence seen before it does not count for the status.',
    'submit:proven': 'A submission ends as proven when the node is done.',
    'submit:contradicted':
      'A submission ends as contradicted when evidence seen after it says no, and the node is failed or ready again.',
    'submit:taken-up':
      'A claim of a submitted node ends the submission and warns who submitted it and what is awaited.',
    'submit:withdrawn': 'A submission is withdrawn by its submitter or by a caller with the author scope.',
    'submit:overdue':
      'Where a machine observes, a submission is overdue after `Service:SubmittedHours`, by the clock, and its note is kept.',
    'submit:never-by-time': 'Where a person decides, a submission never ends by time.',
    'submit:needs': 'A submission that a person decides, or that nothing can prove, is a need from the beginning.',
    'submit:refused-sign-off': 'A sign-off with `refuse: true` contradicts a submission, and `why` has its note.',
    'submit:each-node-once': 'Several processes under one name do each node once while its proof is awaited.',
    'release:failed': 'A release with `outcome: "failed"` keeps the note and gives `error` as `lastClaim.error`.',
  }),
  ...rules('contract-3 4', {
    'worker:hands-in': 'The worker submits a node when its function returns.',
    'worker:result': 'What a function returns is the result, which is an input of the nodes that depend on it.',
    'worker:defer':
      '`help.defer` releases a node with `notBefore`, 5 minutes unless said, and the reason as `lastClaim.error`; `help.fail` as failed.',
    'worker:progress': '`help.progress` is shown as `claim.progress`, with its note.',
    'worker:wait': '`help.wait` resolves when another node is done.',
    'worker:aborts':
      'The worker aborts within a second of a claim lost, a node removed or changed by its author, a plan archived; `signal.reason` says which.',
    'worker:timeout': 'A function that takes longer than `timeoutMs` is aborted, and its node is released as failed.',
    'worker:grace':
      'After a stop and `graceMs` a function that hangs is left, its node returned with the note as it was, and `done` resolves.',
    'worker:archived-plan': 'An archived plan leaves the worker running, and it goes on when the plan is restored.',
    'worker:idle-once': '`onIdle` is called once when nothing is ready or under way, `onPlanDone` when a plan is done.',
  }),
] as const;
