import { rules } from './rules.ts';

export const conventions = [
  ...rules('contract 1', {
    'json:camel-case': 'Every JSON answer is UTF-8 with camelCase members.',
    'json:times-utc-milliseconds': 'Every time in an answer is ISO 8601 in UTC with milliseconds.',
    'json:offset-times-accepted': 'A time with a UTC offset is accepted on input.',
    'json:durations-integer-milliseconds':
      'A duration is an integer of milliseconds unless its name says another unit.',
    'json:empty-members-written': 'A member that is known to be empty is written as null or [] and never left out.',
    'names:pattern':
      'A plan, node or run name is one letter or digit followed by at most 99 letters, digits, dots, underscores or hyphens; any other is refused.',
    'names:case-kept': 'The name of a plan or node is shown in the case in which it was written.',
    'names:case-ignored-on-lookup': 'A plan, node or run is found whatever the case of the name asked for.',
    'names:case-no-difference':
      'Two names that differ only in case are the same name, so the second cannot be created.',
    'names:run-ids-lower-case': 'A run id is always written in lower case.',
    'names:reserved-slugs': '`ready` and `rescan` are refused as plan slugs.',
    'path:unknown-is-404': 'A path parameter that names nothing is answered with the 404 code of its kind.',
    'path:bad-pattern-is-404': 'A path parameter that fits no pattern is answered with the 404 code of its kind.',
    'path:bad-pattern-on-create-is-400': 'A name that fits no pattern is a 400 where the call would create the thing.',
    'path:bad-name-in-body-or-query-is-400': 'A name that fits no pattern is a 400 in a body or a query.',
    'path:differs-from-body-is-400': 'A path and a body that name different things are a 400.',
    'path:wrong-method-is-405': 'A known path with a wrong method answers 405 `method_not_allowed`.',
    'path:unknown-route-is-404': 'A path that is no route at all answers 404 `not_found`.',
    'body:authoring-strict': 'An unknown member in an authoring body is a 400 that names the member.',
    'body:work-loop-strict': 'An unknown member in a work-loop body is a 400 that names the member.',
    'body:work-loop-null-is-absent': 'Null for an optional member of a work-loop body means that it is absent.',
    'body:media-type-415':
      'A mutating request whose body is not `application/json` answers 415 `unsupported_media_type`.',
    'body:import-takes-yaml': 'A plan import takes `application/yaml` as well as JSON.',
    'lists:limit-and-offset': 'Every list takes `limit` and `offset` and answers that part of it.',
    'lists:limit-from-one': 'A `limit` that is no integer from 1 up is a 400.',
    'lists:rest-default-everything': 'A list over REST without `limit` answers everything.',
    'checks:token-before-licence': 'A missing token is answered before a missing licence.',
    'checks:licence-before-shape': 'A missing licence is answered (402) before a fault of shape.',
    'checks:shape-before-existence': 'A fault of shape is answered (400) before an unknown thing (404).',
    'checks:existence-before-state': 'An unknown thing is answered (404) before a fault of state (400 or 409).',
    'reads:never-write': 'A read changes no stream, file or other state.',
    'reads:from-memory': 'A read answers from memory without waiting for the network or for git.',
    'reads:say-their-age': 'An answer whose age matters carries `observedAt` or an `Age` header.',
    'labels:length': '`by` and `agent` take 1 to 200 characters; anything else is refused.',
    'labels:by-defaults-to-anonymous': 'An authoring call without `by` is recorded as done by `anonymous`.',
  }),
  ...rules('interface §5, contract 1', {
    'labels:not-credentials': 'Any label is accepted in `by` and `agent` without proof: they grant nothing.',
  }),
  ...rules('interface §4', {
    'labels:by-on-every-authoring-call':
      'Every authoring endpoint takes the query parameter `by` and records it as the actor.',
  }),
  ...rules('interface §9, contract 1', {
    'json:members-stay': 'No member of an answer that was once published is renamed or removed.',
    'json:clients-ignore-unknown': 'The publishers and the web ignore members that they do not know.',
  }),
] as const;
