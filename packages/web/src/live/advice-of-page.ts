/** The advice of the page by the code of the refusal, for refusals in which the service advises a call. */
const steps: Readonly<Record<string, string>> = {
  node_not_found: 'It may have been removed. Choose another node.',
  plan_not_found: 'Choose another plan on the page Plans.',
  session_not_found: 'Choose another session on the page Agents.',
  run_not_found: 'Choose another run on the page Runs.',
  repository_not_found: 'Choose another one on the page Repositories.',
  token_not_found: 'The page Tokens lists those that exist.',
  attachment_not_found: 'It may have been deleted with its run.',
  plan_exists: 'Choose another slug, or use Import to replace it.',
  plan_archived: 'Restore it on its own page.',
  node_has_dependents: 'Remove it anyway, or change what depends on it first.',
  node_claimed: 'Wait for its release, or override the claim.',
  node_done: 'Choose other ready work.',
  stale_fence: 'Claim the node again to work on it.',
  version_conflict: 'Reload the page and repeat your change.',
  signer_required: 'Set your name first.',
};

/** For codes with several meanings: the step on the page by the call that the service advises. */
const stepsInstead: readonly [call: RegExp, step: string][] = [
  [/GET \/api\/webhooks/, 'The page Webhooks lists them.'],
  [/GET \/api\/docs/, 'Reload the page: it may be older than the service.'],
  [/List the agents/, 'Choose another one on the page Agents.'],
  [/List the plans/, 'Choose another plan on the page Plans.'],
  [/get_repository/, 'Choose another note on the page of the repository.'],
];

/** Refusals of the service give the reason in one sentence, and after it the next call. */
export function firstSentence(detail: string): string {
  const end = detail.indexOf('. ');
  return end === -1 ? detail : detail.slice(0, end + 1);
}

/** The reason of a refusal, with the next step on the page instead of the call. */
export function adviceOfPage(code: string | null | undefined, detail: string | null | undefined): string | undefined {
  if (!detail) return undefined;
  const reason = firstSentence(detail);
  const advised = detail.slice(reason.length);
  const step = (code ? steps[code] : undefined) ?? stepsInstead.find(([call]) => call.test(advised))?.[1];
  return step === undefined ? detail : `${reason} ${step}`;
}
