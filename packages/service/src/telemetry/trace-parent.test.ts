import { expect, test } from 'vitest';
import { readTraceParent, traceParentText } from './trace-parent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('a traceparent is read as W3C Trace Context has it', () => {
  expect(readTraceParent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, isSampled: true });
  expect(readTraceParent(`01-${traceId}-${spanId}-02-more`)).toEqual({ traceId, spanId, isSampled: false });
});

test.each([
  ['00', '00'],
  ['01', '01'],
  ['02', '00'],
  ['03', '01'],
  ['ff', '01'],
])('of the flags %s only whether the caller records its trace is kept: %s', (flags, kept) => {
  expect(traceParentText(`00-${traceId}-${spanId}-${flags}`)).toBe(`00-${traceId}-${spanId}-${kept}`);
});

test.each([
  ['nothing', undefined],
  ['a number', 7],
  ['a version that is invalid', `ff-${traceId}-${spanId}-01`],
  ['more than version 00 has', `00-${traceId}-${spanId}-01-more`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capitals', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['a long text', `01-${traceId}-${spanId}-01-${'x'.repeat(1_000)}`],
])('%s is not a traceparent', (_, value) => {
  expect(readTraceParent(value)).toBeUndefined();
});
