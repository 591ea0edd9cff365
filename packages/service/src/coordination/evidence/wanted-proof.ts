import type { Binding } from '../plans/binding.ts';
import { describePullRequest, trailerOf } from '../plans/pull-request-text.ts';

/** The proof that a node waits for, as text: "Proof: issue acme/shop#12 closed". */
export function wantedProof(binding: Binding, ref: string): string {
  switch (binding.kind) {
    case 'issue':
      return `issue ${binding.issue} closed`;
    case 'pullRequest':
      return `pull request ${describePullRequest(binding)} merged`;
    case 'suite': {
      const which = [
        binding.suite === undefined ? '' : ` of ${binding.suite}`,
        binding.tag === undefined ? '' : ` tagged ${binding.tag}`,
        binding.branch === undefined ? '' : ` on ${binding.branch}`,
        binding.publisher === undefined ? '' : ` published by ${binding.publisher}`,
      ];
      return `a passed run${which.join('')}`;
    }
    case 'package':
      return `${binding.name} ${binding.version} on ${binding.registry}`;
    case 'dependency':
      return `${binding.repository} uses ${binding.name} ${binding.version}`;
    case 'commit':
      return `a commit with the line "${trailerOf(ref)}"${binding.branch === undefined ? '' : ` on ${binding.branch}`}`;
    case 'signOff':
      return binding.who === undefined ? 'a sign-off' : `the sign-off of ${binding.who}`;
  }
}
