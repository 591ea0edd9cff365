import { expect, test } from 'vitest';
import { faultsIn } from './otlp-definitions.ts';

const span = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  name: 'a',
  kind: 1,
  startTimeUnixNano: '1767258000000000000',
  endTimeUnixNano: '1767258001000000000',
  attributes: [{ key: 'n', value: { intValue: '7' } }],
  status: { code: 0 },
};
const body = (more: object) => ({
  resourceSpans: [{ scopeSpans: [{ scope: { name: 's' }, spans: [{ ...span, ...more }] }] }],
});

test('a body as the protocol has it has no fault', () => {
  expect(faultsIn('traces', body({}))).toEqual([]);
});

test.each([
  ['a member that the protocol does not have', { colour: 'red' }],
  ['a name in another spelling', { start_time_unix_nano: '1' }],
  ['a number of 64 bits as a number', { endTimeUnixNano: 1767258001 }],
  ['an id in base64', { traceId: 'S/kvNXezTaajzpKdDg5HNg==' }],
  ['an id of zeros', { spanId: '0'.repeat(16) }],
  ['an enum by its name', { kind: 'SPAN_KIND_INTERNAL' }],
  ['an enum that is not in its list', { status: { code: 7 } }],
  ['an attribute without its type', { attributes: [{ key: 'n', value: 7 }] }],
  ['half a character', { name: '\ud83d' }],
])('%s is a fault', (_, more) => {
  expect(faultsIn('traces', body(more))).not.toEqual([]);
});
