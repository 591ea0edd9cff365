import { rules } from './rules.ts';

/** What clients written from the interface alone expect. */
export const ownClients = [
  ...rules('contract-3 6', {
    'client:slug': '`slug` is taken wherever `plan` names a plan.',
    'client:put-what-get-gave':
      'PUT takes what GET gave: members that a read adds are ignored and named in `ignored`, unknown ones are refused.',
    'client:ping-any-query': 'GET /api/ping ignores every query.',
    'client:by-on-work-loop':
      '`by` in the query of claim, claim_next, report and release is ignored where `agent` is there, and serves as `agent` where it is not.',
    'client:lanes-running': '`lanes[].running` lists tests that started and have not ended on a lane that is live.',
    'client:other-consoles': '`Service:PublisherUrl` reads the run lists of other consoles of the same wire.',
    'client:console-trouble':
      'A console at `Service:PublisherUrl` that cannot be read is a need and a line of `doctor`.',
    'client:ndjson-as-sent': 'The `ndjson` export is what publishers sent, byte for byte, and can be ingested again.',
    'client:model-any-text':
      'PUT /api/event-model/{source} takes JSON under any text type, as form data and without a type.',
    'client:link-reconsidered':
      'A claim left `unlinked` by several sessions is linked once all but one that was there at the claim are gone.',
    'client:two-names':
      'The tools `flaky_ledger` and `await_run_completion` answer as `flaky_tests` and `await_run` do.',
  }),
] as const;
