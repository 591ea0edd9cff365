import { expect, test } from 'vitest';
import { readTraceParent, traceParentText } from './trace-parent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('a traceparent is read as W3C Trace Context has it', () => {
  expect(readTraceParent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId });
  expect(readTraceParent(`01-${traceId}-${spanId}-00-more`)).toEqual({ traceId, spanId });
  expect(traceParentText(`00-${traceId}-${spanId}-00`)).toBe(`00-${traceId}-${spanId}-01`);
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
