import { isCtrf, readCtrf } from './ctrf.ts';
import { type About, eventsOf } from './imported.ts';
import { readJunit } from './junit.ts';

/** Texts of events, ready to stand in a batch. */
export type Results = { format: 'junit' | 'ctrf' | 'ndjson'; events: string[] };

/** Tells by its content what a file of test results is, and reads it. */
export function readResults(text: string, about: About): Results {
  const content = text.replace(/^\ufeff/, '').trim();
  if (content === '') throw new Error('the file is empty');
  if (content.startsWith('<')) return { format: 'junit', events: written(eventsOf(readJunit(content), about)) };
  const whole = parsed(content);
  if (isCtrf(whole)) return { format: 'ctrf', events: written(eventsOf(readCtrf(whole), about)) };
  const lines = content.split('\n').map((line) => line.trim());
  const events = lines.filter((line) => line !== '');
  const bad = events.findIndex((line) => !isEvent(parsed(line)));
  if (bad >= 0) throw new Error(`the file is neither JUnit XML nor CTRF, and its line ${bad + 1} is no monitor event`);
  return { format: 'ndjson', events };
}

const written = (events: readonly object[]): string[] => events.map((event) => JSON.stringify(event));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && 'runId' in value;
