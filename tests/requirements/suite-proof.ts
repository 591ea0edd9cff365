import { rules } from './rules.ts';

export const suiteProof = [
  ...rules('contract-2 1', {
    'proof:newest-by-arrival':
      'The newest matching run is the one whose first event arrived last at the console, whatever its `startedAt` says.',
    'proof:coverage-by-arrival': 'Between runs the newest verdict is that of the run that arrived last.',
    'proof:skewed-times':
      'A time of a publisher more than five minutes ahead of its arrival is shown as the arrival, with `clockSkewMs`.',
    'proof:end-is-end':
      'A `run_started` or a second `run_finished` after the end is rejected, archived, counted in `late`, and changes nothing.',
    'proof:late-after-grace': 'Thirty seconds after the end of a run every further event of it is late.',
    'proof:grace': 'For thirty seconds after the end verdicts of late workers are still folded.',
    'proof:repeat-is-not-late': 'A byte-identical resend is accepted after the end as well.',
    'proof:said-stays-said': 'Members of `run_started` that were said stay, and later ones fill only what was null.',
    'proof:counted-pass': 'A run with verdicts is green only with a counted passing one, whatever its figures claim.',
    'proof:trust': 'The summary of a run carries `publisher`, `trust`, `commit` and `dirty`.',
    'proof:open-proves-nothing': 'A run that came through `Service:OpenIngest` proves no node and fails none.',
    'proof:begun-with-token': 'Events without a token for a run that was begun with one are rejected.',
    'proof:named-only': 'With `Service:SuiteProof` set to `named` only runs of named tokens prove nodes.',
    'proof:publisher-binding': 'A suite binding with `publisher` is proven by runs of that name alone.',
    'proof:sentence': 'The evidence of a suite says suite, branch, commit, scenarios and publisher in one sentence.',
    'proof:policies-keep':
      'A run that a retention policy takes off the board leaves the evidence that it gave standing.',
    'proof:stamps-are-ours': 'An event of the type that the console stamped runs with changes nothing.',
    'proof:clones-path': 'Clones are looked at only where they lie under `Service:ClonesPath`.',
    'proof:clone-origin': 'A clone whose `origin` is another repository proves nothing, and the evidence says why.',
    'proof:github-time': 'What changed on GitHub is asked for by its own time, so a wrong clock here misses nothing.',
  }),
  ...rules('contract-3 1', {
    'proof:figures':
      'A run that ended without a verdict is judged by the figures of its `run_finished`, and is `counted: "figures"`.',
    'proof:incomplete':
      'Where a run that says all is well has fewer verdicts than were due, the evidence is `incomplete` and the node keeps its status.',
    'proof:outcome-words':
      'Outcome words of other runners are understood, and an unknown or missing word is `rejected` with the known ones named.',
    'proof:eject-keeps': 'An eject by id, by filter, by age or by count changes no node.',
    'proof:withdraw':
      'DELETE /api/runs/{runId} with `withdraw=true` answers 200 `{ runId, reopened }` and judges the nodes by the runs that are left.',
    'proof:withdraw-scope':
      'A withdrawal needs the `author` scope, where a plain DELETE /api/runs/{runId} needs `admin`.',
    'proof:read-your-proof':
      'When the answer to an ingest that ends a run has been sent, every later call sees what that run proves or fails.',
    'proof:nothing-unseen': 'No policy ejects a run that has not been checked as evidence.',
    'proof:bound-looks-at-once': 'A binding that is made looks at once at the runs that are there.',
    'proof:unreadable':
      'A run that cannot be read has `state: "unreadable"`, is a need and one line of the log, and holds up no other proof.',
  }),
] as const;
