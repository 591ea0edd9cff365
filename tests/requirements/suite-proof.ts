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
    'proof:counted-pass': 'A run without a counted passing verdict is not green, whatever its figures claim.',
    'proof:trust': 'The summary of a run carries `publisher`, `trust`, `commit` and `dirty`.',
    'proof:open-proves-nothing': 'A run that came through `Service:OpenIngest` proves no node and fails none.',
    'proof:begun-with-token': 'Events without a token for a run that was begun with one are rejected.',
    'proof:named-only': 'With `Service:SuiteProof` set to `named` only runs of named tokens prove nodes.',
    'proof:publisher-binding': 'A suite binding with `publisher` is proven by runs of that name alone.',
    'proof:sentence': 'The evidence of a suite says suite, branch, commit, scenarios and publisher in one sentence.',
    'proof:delete-takes-back':
      'A DELETE of the run that decided makes the evidence be judged anew from the runs that are left.',
    'proof:policies-keep':
      'A run that a retention policy takes off the board leaves the evidence that it gave standing.',
    'proof:stamps-are-ours': 'An event of the type that the console stamps runs with is rejected.',
    'proof:clones-path': 'Clones are looked at only where they lie under `Service:ClonesPath`.',
    'proof:clone-origin': 'A clone whose `origin` is another repository proves nothing, and the evidence says why.',
    'proof:github-time': 'What changed on GitHub is asked for by its own time, so a wrong clock here misses nothing.',
  }),
] as const;
