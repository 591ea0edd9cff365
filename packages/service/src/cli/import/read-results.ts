import { parsedJson } from '../../kernel/parsed-json.ts';
import { isCtrf, readCtrf } from './ctrf.ts';
import { isGoEvent, readGoTest } from './go-test.ts';
import type { ImportedRun } from './imported-run.ts';
import { readJunit } from './junit.ts';
import { isLibtest, LibtestStream } from './libtest.ts';
import { isLibtestEvent, LibtestJsonStream } from './libtest-json.ts';
import { type ResultStream, runOf, testsIn } from './result-stream.ts';
import { isRspec, readRspec } from './rspec.ts';
import { isTap, TapStream } from './tap.ts';
import { isTeamcity, TeamcityStream } from './teamcity.ts';
import { isTrx, readTrx } from './trx.ts';

type Format = 'junit' | 'ctrf' | 'trx' | 'go' | 'tap' | 'cargo' | 'rspec' | 'teamcity';

/** A run as a list of its tests, or as the JSON texts of its events, ready for a batch. */
export type TestResults = { format: Format; run: ImportedRun } | { format: 'ndjson'; events: string[] };

export const knownFormats = 'JUnit XML, TRX, CTRF, TAP, go test -json, cargo test, RSpec JSON and TeamCity messages';

const stampStart = '{"type":"console_stamp"';

/** Recognizes a file of test results by its content, and reads it. */
export function readResults(text: string): TestResults {
  const content = text.replace(/^\ufeff/, '').trim();
  if (content === '') throw new Error('the file is empty');
  if (content.startsWith('<') && isTrx(content)) return { format: 'trx', run: readTrx(content) };
  if (content.startsWith('<')) return { format: 'junit', run: readJunit(content) };
  const whole = parsedJson(content);
  if (isCtrf(whole)) return { format: 'ctrf', run: readCtrf(whole) };
  if (isRspec(whole)) return { format: 'rspec', run: readRspec(whole) };
  const lines = content.split('\n').map((line) => line.trimEnd());
  const streamed = readLines(content, lines);
  if (streamed) return streamed;
  const events = lines.map((line) => line.trim()).filter((line) => line !== '');
  const bad = events.findIndex((line) => !isEvent(parsedJson(line)));
  if (bad >= 0)
    throw new Error(`the file is not in a known format (${knownFormats}), and line ${bad + 1} is not a monitor event`);
  // An exported archive contains lines of the console that wrote it; they are dropped, because the importing console
  // writes its own.
  return { format: 'ndjson', events: events.filter((line) => !line.startsWith(stampStart)) };
}

/** Formats that runners print line by line, some mixed with other lines. */
function readLines(content: string, lines: readonly string[]): TestResults | null {
  const read = (format: Format, stream: ResultStream): TestResults => ({ format, run: runOf(testsIn(stream, lines)) });
  if (lines.some((line) => line.startsWith('{') && isGoEvent(parsedJson(line)))) {
    return { format: 'go', run: readGoTest(lines) };
  }
  if (lines.some((line) => line.startsWith('{') && isLibtestEvent(parsedJson(line)))) {
    return read('cargo', new LibtestJsonStream());
  }
  if (isTeamcity(content)) return read('teamcity', new TeamcityStream());
  if (isLibtest(content)) return read('cargo', new LibtestStream());
  return isTap(content) ? read('tap', new TapStream()) : null;
}

const isEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && 'runId' in value;
