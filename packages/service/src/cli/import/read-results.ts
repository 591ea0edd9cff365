import { isCtrf, readCtrf } from './ctrf.ts';
import { isGoEvent, readGoTest } from './go-test.ts';
import type { ImportedRun } from './imported-run.ts';
import { readJunit } from './junit.ts';
import { isTrx, readTrx } from './trx.ts';

/** A run told by its tests, or texts of events that are ready to stand in a batch. */
export type TestResults =
  | { format: 'junit' | 'ctrf' | 'trx' | 'go'; run: ImportedRun }
  | { format: 'ndjson'; events: string[] };

const stampStart = '{"type":"console_stamp"';

/** Tells by its content what a file of test results is, and reads it. */
export function readResults(text: string): TestResults {
  const content = text.replace(/^\ufeff/, '').trim();
  if (content === '') throw new Error('the file is empty');
  if (content.startsWith('<') && isTrx(content)) return { format: 'trx', run: readTrx(content) };
  if (content.startsWith('<')) return { format: 'junit', run: readJunit(content) };
  const whole = parsed(content);
  if (isCtrf(whole)) return { format: 'ctrf', run: readCtrf(whole) };
  const lines = content.split('\n').map((line) => line.trim());
  const events = lines.filter((line) => line !== '');
  // Go prints what does not build between its events.
  const told = events.map(parsed).filter(isGoEvent);
  if (told.length > 0 && isGoEvent(parsed(events[0] ?? ''))) return { format: 'go', run: readGoTest(told) };
  const bad = events.findIndex((line) => !isEvent(parsed(line)));
  if (bad >= 0)
    throw new Error(
      `the file is neither JUnit XML, TRX, CTRF nor go test -json, and line ${bad + 1} is not a monitor event`,
    );
  // An exported archive has lines of the console that wrote it; the one that reads it writes its own.
  return { format: 'ndjson', events: events.filter((line) => !line.startsWith(stampStart)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && 'runId' in value;
