import { rules } from './rules.ts';

export const errors = [
  ...rules('contract 1', {
    'idempotency:same-key-same-answer':
      'The same `Idempotency-Key` on the same coordination mutation within 24 h gets the first answer and does nothing twice.',
    'idempotency:every-mutation': 'Every coordination mutation takes an `Idempotency-Key`.',
    'idempotency:mcp-request-id': 'An MCP tool takes the idempotency key as `requestId`.',
    'idempotency:across-restart': 'A remembered answer is replayed after a restart too.',
    'idempotency:forgotten-after-a-day': 'A key used again after 24 h runs the call anew.',
    'idempotency:one-key-space':
      'A key is shared by all commands and doors of a store, so REST and MCP replay each other.',
    'idempotency:other-fingerprint-409':
      'A key that comes back with another command, path, query or body answers 409 `idempotency_conflict`.',
    'idempotency:claim-replayed-while-it-stands': 'A claim answer is replayed while the claim with that fence stands.',
    'idempotency:claim-runs-anew-after-its-end':
      'A claim repeated with its key after that claim has ended runs as a new claim.',
    'idempotency:refusals-not-remembered': 'A refusal is not remembered: the same key runs the call again.',
    'idempotency:conflicts-not-remembered': 'A 409 is not remembered: the same key runs the call again.',
    'idempotency:nothing-ready-not-remembered': 'A `nothing_ready` answer is not remembered: the same key asks again.',
    'idempotency:second-call-waits': 'A second call with a key whose first call is under way waits for its answer.',
    'idempotency:console-takes-no-key':
      'Ingest, run and event-model calls can be repeated without harm and take no key.',
    'errors:problem-json': 'Every error is `application/problem+json` with type, title, status, detail and code.',
    'errors:stable-snake-case-code': 'The `code` of an error is one of the published snake_case words.',
    'errors:code-fits-status': 'Every code is always sent with the one status that the table of errors gives it.',
    'errors:detail-says-what-to-do': 'The `detail` says what happened and what to do next in one or two sentences.',
    'errors:all-faults-at-once': 'A validation error lists every fault in `errors` with its path and message.',
    'errors:no-stack-trace': 'No error shows a stack trace.',
    'errors:no-host-path': 'No error shows an absolute path of the host.',
    'errors:mcp-same-object':
      'A refused MCP tool call answers the REST problem object as structuredContent and as text, with `isError: true`.',
    'errors:mcp-validates-in-dispatch':
      'A wrongly shaped MCP call answers the same problem object, never bare text of a library.',
    'errors:mcp-paths-of-rest-body': 'The path of a fault in an MCP call is the path that it has in the REST body.',
    'errors:mcp-conflicting-claim-is-no-error':
      'A conflicting claim over MCP answers `{ claimed: false, heldBy, heldUntil }` without `isError`.',
    'errors:invalid-request': 'A shape fault without a code of its own answers 400 `invalid_request`.',
  }),
  ...rules('interface §1, contract 12', {
    'twin:rest-equals-mcp':
      'Every MCP tool and its REST endpoint are one command: same input, same handler, same answer.',
  }),
] as const;
