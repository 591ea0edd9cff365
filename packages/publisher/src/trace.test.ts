import { expect, test } from 'vitest';
import { runSpanId, runTraceId, traceparentOf } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each([
  ['is recorded', '01', '01'],
  ['is not recorded', '00', '00'],
  ['has flags of a later version', '02', '00'],
])('tests of a run in a trace that %s get the same trace', (_, flags, given) => {
  const parent = `00-${traceId}-00f067aa0ba902b7-${flags}`;
  expect(traceparentOf('r', parent)).toBe(`00-${traceId}-${runSpanId('r')}-${given}`);
});

test("tests of a run without a trace get the run's own trace", () => {
  expect(traceparentOf('r', null)).toBe(`00-${runTraceId('r')}-${runSpanId('r')}-01`);
});
