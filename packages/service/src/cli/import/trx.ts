import { SaxesParser } from 'saxes';
import { type ImportedRun, type ImportedTest, importedTest, outsideTests } from './imported-run.ts';

type TrxResult = {
  id: string;
  name: string;
  outcome: string;
  ms: number;
  texts: Record<string, string>;
  /** The rows of a data-driven test; the result of the test itself contains them. */
  rows: TrxResult[];
};
const outcomes: Record<string, ImportedTest['outcome']> = {
  passed: 'CleanPass',
  failed: 'Failed',
  notexecuted: 'Skipped',
  notrunnable: 'Skipped',
  inconclusive: 'Skipped',
};
const texts = new Set(['Message', 'StackTrace', 'StdOut', 'StdErr']);
/** The outcome of the whole run; only `Completed` and `Passed` count as success. */
const badRuns = new Set(['failed', 'error', 'aborted', 'timeout', 'disconnected']);

export const isTrx = (xml: string): boolean => /<TestRun[\s>]/.test(xml.slice(0, 4096));

/** The report of `dotnet test --logger trx`. A test is identified by its class and name. */
export function readTrx(xml: string): ImportedRun {
  const results: TrxResult[] = [];
  const classes = new Map<string, string>();
  let times: { start?: string; finish?: string } = {};
  const open: TrxResult[] = [];
  let definition = '';
  let text: string | null = null;
  let outcome = '';
  const infos: RunInfo[] = [];
  let info: RunInfo | null = null;
  const inside: string[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (fault) => {
    throw new Error(`the file is not well-formed XML: ${fault.message}`);
  });
  parser.on('opentag', ({ name, attributes: of }) => {
    if (name === 'Times') times = of;
    if (name === 'UnitTest') definition = of.id ?? '';
    if (name === 'TestMethod') classes.set(definition, of.className ?? '');
    if (name === 'UnitTestResult') open.push(resultOf(of));
    if (name === 'ResultSummary') outcome = (of.outcome ?? '').toLowerCase();
    if (name === 'RunInfo') {
      info = { outcome: (of.outcome ?? '').toLowerCase(), text: '' };
      infos.push(info);
    }
    // A result may have further messages besides its error.
    if (open.length > 0 && texts.has(name) && inside.at(-1) !== 'TextMessages') text = name;
    inside.push(name);
  });
  const add = (part: string) => {
    const current = open.at(-1);
    if (current && text !== null) current.texts[text] = (current.texts[text] ?? '') + part;
    if (info) info.text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    inside.pop();
    if (name === text) text = null;
    if (name === 'RunInfo') info = null;
    if (name !== 'UnitTestResult') return;
    const closed = open.pop();
    if (closed) (open.at(-1)?.rows ?? results).push(closed);
  });
  parser.write(xml).close();
  const at = (instant: string | undefined) => Date.parse(instant ?? '') || null;
  const counted = results.flatMap(countedOf);
  const tests = counted.map((result) => testOf(result, classes.get(result.id) ?? ''));
  tests.push(...outsideOf(counted, outcome, infos));
  return { suite: '', startedAtMs: at(times.start), stoppedAtMs: at(times.finish), tests };
}

type RunInfo = { outcome: string; text: string };

/** Errors of the whole run, outside its results. */
function outsideOf(results: readonly TrxResult[], outcome: string, infos: readonly RunInfo[]): ImportedTest[] {
  const failed = new Set(results.filter(isBadResult).map(({ name }) => name));
  const outside = infos
    .filter((one) => badRuns.has(one.outcome) && !failed.has(failedInXunit(one.text)))
    .map((one) => outsideTests('', '(run)', one.text.trim() || 'The run failed.'));
  if (!badRuns.has(outcome) || failed.size > 0 || outside.length > 0) return outside;
  return [outsideTests('', '(run)', `The run ended as ${outcome}, but none of its tests failed.`)];
}

const isBadResult = ({ outcome }: TrxResult): boolean => !['CleanPass', 'Skipped'].includes(outcomes[outcome] ?? '');

/** The rows of a data-driven test are tests; the test itself is one only if it failed and none of its rows did. */
function countedOf(result: TrxResult): TrxResult[] {
  const rows = result.rows.flatMap(countedOf);
  return rows.length > 0 && (!isBadResult(result) || rows.some(isBadResult)) ? rows : [...rows, result];
}

/** xUnit adds a message to the run for each failed test: `[xUnit.net 00:00:00.55]     Shop.CartTests.Adds [FAIL]`. */
function failedInXunit(text: string): string {
  const line = text.trim();
  const isOne = line.startsWith('[xUnit.net ') && line.endsWith(' [FAIL]');
  return isOne ? line.slice(line.indexOf(']') + 1, -' [FAIL]'.length).trim() : '';
}

const resultOf = (of: Record<string, string>): TrxResult => ({
  id: of.testId ?? '',
  name: of.testName ?? 'unnamed',
  outcome: (of.outcome ?? '').toLowerCase(),
  ms: durationOf(of.duration ?? ''),
  texts: {},
  rows: [],
});

/** `00:00:01.2340000`, and `1.00:00:02` from a day on. */
function durationOf(text: string): number {
  const [first = '', minutes = '0', seconds = '0'] = text.split(':');
  const [days, hours] = first.includes('.') ? first.split('.').map(Number) : [0, Number(first)];
  const wholeHours = (days ?? 0) * 24 + (hours ?? 0);
  return Math.max(0, Math.round(((wholeHours * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)) || 0;
}

function testOf({ name, outcome, ms, texts: said }: TrxResult, className: string): ImportedTest {
  // Assembly and version follow a comma in older files.
  const [feature = ''] = className.split(',');
  const stack = said.StackTrace?.trim() || null;
  // `   at Shop.CartTests.Adds() in /src/CartTests.cs:line 12`
  const at = stack?.split('\n').find((line) => line.includes(' in ') && line.includes(':line ')) ?? '';
  const place = at.slice(at.lastIndexOf(' in ') + 4).trim();
  const [file = '', line = ''] = place === '' ? [] : place.split(':line ');
  const isBad = outcomes[outcome] !== 'CleanPass';
  return importedTest({
    feature,
    name: feature !== '' && name.startsWith(`${feature}.`) ? name.slice(feature.length + 1) : name,
    outcome: outcomes[outcome] ?? 'Aborted',
    durationMs: ms,
    message: isBad ? said.Message?.trim() || null : null,
    stackTrace: stack,
    file: file || null,
    line: Number.parseInt(line, 10) || null,
    ...(said.StdOut && { stdout: said.StdOut }),
    ...(said.StdErr && { stderr: said.StdErr }),
  });
}
