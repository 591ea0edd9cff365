import { xmlAttribute, xmlText } from '../../run-contract/xml.ts';
import type { RunSummary } from './contract.ts';
import { traceOf } from './export-ctrf.ts';
import { current } from './fold-scenarios.ts';
import { lastError } from './fold-steps.ts';
import type { Attempt, Run, Scenario, WorkerFault } from './run.ts';
import { earlierAttempts, scenariosByFeature } from './run-views.ts';

type JunitVerdict = 'passed' | 'failure' | 'error' | 'skipped';
const outputLength = 8 * 1024;
const messageLength = 1024;
const nameLength = 1024;
/** Readers of JUnit show no more than this; the archive has the whole text. */
const bodyLength = 64 * 1024;

/**
 * JUnit XML as CI servers read it: flat suites, final outcomes, and an error for each worker that died. No piece holds more
 * than one long text, so that other work can run in between.
 */
export function* junitOf(run: Run, summary: RunSummary): Iterable<string> {
  const ended = summary.state !== 'running';
  const { failures, errors } = count(run.scenarios.values(), ended);
  const faults = run.workerFaults;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="${nameAttribute(summary.suite)}" tests="${run.scenarios.size + faults.length}" failures="${failures}" errors="${errors + faults.length}" time="${seconds(durationOf(summary))}">\n`;
  const names = new Map<string, number>();
  for (const group of scenariosByFeature(run)) yield* suiteOf(group, summary, ended, names);
  if (faults.length > 0) yield* faultSuite(faults, summary);
  yield '</testsuites>\n';
}

function* suiteOf(
  group: readonly Scenario[],
  summary: RunSummary,
  ended: boolean,
  names: Map<string, number>,
): Iterable<string> {
  const { failures, errors, skipped, ms } = count(group, ended);
  const name = (group[0]?.feature || summary.suite).slice(0, nameLength);
  yield suiteStart(name, summary, { tests: group.length, failures, errors, skipped, ms });
  for (const scenario of group) yield* caseOf(scenario, name, ended, names);
  yield '  </testsuite>\n';
}

type Figures = { tests: number; failures: number; errors: number; skipped: number; ms: number };

function suiteStart(name: string, { startedAt, host }: RunSummary, figures: Figures): string {
  const { tests, failures, errors, skipped, ms } = figures;
  const timestamp = startedAt === null ? '' : ` timestamp="${startedAt.slice(0, 19)}"`;
  return `  <testsuite name="${nameAttribute(name)}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds(ms)}"${timestamp} hostname="${nameAttribute(host)}">\n`;
}

function count(scenarios: Iterable<Scenario>, ended: boolean): Omit<Figures, 'tests'> {
  const figures = { failures: 0, errors: 0, skipped: 0, ms: 0 };
  for (const scenario of scenarios) {
    const verdict = verdictOf(scenario, ended);
    if (verdict === 'failure') figures.failures += 1;
    if (verdict === 'error') figures.errors += 1;
    if (verdict === 'skipped') figures.skipped += 1;
    figures.ms += current(scenario).durationMs ?? 0;
  }
  return figures;
}

function verdictOf(scenario: Scenario, ended: boolean): JunitVerdict {
  switch (current(scenario).outcome) {
    case 'CleanPass':
    case 'PassOnRetry':
      return 'passed';
    case 'Failed':
      return 'failure';
    case 'Aborted':
      return 'error';
    case 'Skipped':
      return 'skipped';
    default:
      return ended ? 'error' : 'skipped';
  }
}

function* caseOf(scenario: Scenario, suite: string, ended: boolean, names: Map<string, number>): Iterable<string> {
  const { project = null, file = null, line = null } = scenario.written ?? {};
  const named = scenario.scenario || scenario.uid;
  const name = unique(suite, project === null ? named : `[${project}] ${named}`, names);
  const written = `${file === null ? '' : ` file="${nameAttribute(file)}"`}${line === null ? '' : ` line="${line}"`}`;
  const start = `    <testcase name="${xmlAttribute(name)}" classname="${xmlAttribute(suite)}" time="${seconds(current(scenario).durationMs ?? 0)}"${written}`;
  let isOpen = false;
  for (const piece of insideOf(scenario, ended)) {
    yield isOpen ? piece : `${start}>\n${piece}`;
    isOpen = true;
  }
  yield isOpen ? '    </testcase>\n' : `${start}/>\n`;
}

function* insideOf(scenario: Scenario, ended: boolean): Iterable<string> {
  const last = current(scenario);
  const verdict = verdictOf(scenario, ended);
  yield* properties(scenario);
  yield* verdictElement(verdict, last, ended);
  yield* earlierElements(scenario, verdict);
  if (verdict === 'failure' || verdict === 'error') yield output(last);
}

const nameAttribute = (name: string): string => xmlAttribute(name.slice(0, nameLength));

/** Readers drop a test that has the same name as an earlier one. */
function unique(suite: string, whole: string, names: Map<string, number>): string {
  const name = whole.slice(0, nameLength);
  const key = `${suite}\n${name}`;
  const before = names.get(key) ?? 0;
  names.set(key, before + 1);
  return before === 0 ? name : `${name} (${before + 1})`;
}

function verdictElement(verdict: JunitVerdict, last: Attempt, ended: boolean): string[] {
  if (verdict === 'passed') return [];
  if (verdict === 'skipped') {
    const why = last.outcome === null ? 'no result yet' : (last.skipReason ?? (last.todo ? 'todo' : null));
    return [
      why === null ? '      <skipped/>\n' : `      <skipped message="${xmlAttribute(why.slice(0, messageLength))}"/>\n`,
    ];
  }
  const unheard = ended && last.outcome === null ? 'the run ended before this test had a verdict' : null;
  const message =
    last.errorMessage ?? unheard ?? lastError(last.steps) ?? (verdict === 'failure' ? 'failed' : 'aborted');
  return [problem(verdict, message, traceOf(last), typeOf(last, verdict))];
}

/** The attachment in the form that CI servers turn into links. */
function* properties({ attachments }: Scenario): Iterable<string> {
  if (!attachments || attachments.length === 0) return;
  yield '      <properties>\n';
  for (const { name } of attachments)
    yield `        <property name="attachment" value="${xmlAttribute(`[[ATTACHMENT|${name}]]`)}"/>\n`;
  yield '      </properties>\n';
}

const typeOf = (attempt: Attempt, otherwise: string): string =>
  attempt.steps.findLast((step) => step.details?.exceptionType !== undefined)?.details?.exceptionType ?? otherwise;

/** A pass on retry shows at least one failure before it, even if only the last attempt was reported. */
function* earlierElements(scenario: Scenario, verdict: JunitVerdict): Iterable<string> {
  const element = verdict === 'passed' ? 'flakyFailure' : 'rerunFailure';
  const earlier = earlierAttempts(scenario);
  const isBare = earlier.length === 0 && current(scenario).outcome === 'PassOnRetry';
  for (const { attempt, known } of isBare ? [{ attempt: 1, known: undefined }] : earlier) {
    if (known) {
      const message = known.errorMessage ?? lastError(known.steps) ?? known.reason ?? 'failed';
      yield problem(element, message, traceOf(known), typeOf(known, 'failure'));
    } else yield problem(element, scenario.retries?.get(attempt + 1) || 'failed', null, 'failure');
  }
}

const beginning = 200;

/** Searches for the beginning only: finding one long text in another takes minutes if both are repetitive. */
function holds(message: string, trace: string): boolean {
  const at = message.indexOf(trace.slice(0, beginning));
  return at >= 0 && message.startsWith(trace, at);
}

/** The first line as the attribute and the full text as content, because some readers show only one of them. */
function problem(element: string, message: string, trace: string | null, type: string): string {
  const [first = ''] = message.split('\n', 1);
  const isCovered = trace === null || message.length > bodyLength || holds(message, trace);
  const whole = isCovered ? message : `${message}\n${trace}`;
  const isLong = whole.length > bodyLength;
  const body = isLong ? `${whole.slice(0, bodyLength)}\n(cut after 64 KB; format=ndjson has the full text)` : whole;
  return `      <${element} message="${xmlAttribute(first.slice(0, messageLength))}" type="${nameAttribute(type)}">${xmlText(body)}</${element}>\n`;
}

function output({ steps, output: printed }: Attempt): string {
  const printedSteps = steps.flatMap(({ kind, text, status, details: more }) => [
    `${kind} ${text} ... ${status}`,
    ...(more?.logs ?? []).map((log) => `  ${log}`),
  ]);
  const lines = [...printedSteps, ...(printed?.stdout ?? []), ...(printed?.stderr ?? [])];
  if (lines.length === 0) return '';
  return `      <system-out>${xmlText(endOf(lines, outputLength))}</system-out>\n`;
}

/** The last characters of these lines, without joining all of them. */
function endOf(lines: readonly string[], length: number): string {
  const kept: string[] = [];
  let left = length;
  for (let at = lines.length - 1; at >= 0 && left > 0; at -= 1) {
    const line = (lines[at] ?? '').slice(-left);
    kept.push(line);
    left -= line.length + 1;
  }
  return kept.reverse().join('\n');
}

const faultsName = 'worker faults';

/** Without these, a run with a dead worker could look green. */
function* faultSuite(faults: readonly WorkerFault[], summary: RunSummary): Iterable<string> {
  const { length } = faults;
  yield suiteStart(faultsName, summary, { tests: length, failures: 0, errors: length, skipped: 0, ms: 0 });
  const names = new Map<string, number>();
  for (const { lane, fault, exitCode, standardError } of faults) {
    const name = unique(faultsName, lane === null ? 'worker fault' : `worker fault lane ${lane}`, names);
    const type = exitCode === null ? 'worker fault' : `exit code ${exitCode}`;
    yield `    <testcase name="${xmlAttribute(name)}" classname="${faultsName}" time="0.000">\n${problem('error', fault, standardError, type)}    </testcase>\n`;
  }
  yield '  </testsuite>\n';
}

/** An upper bound: a larger number would be written with an exponent, which readers reject. */
const longestMs = 1e15;
const seconds = (ms: number): string => (Math.min(longestMs, Math.max(0, ms)) / 1000).toFixed(3);

function durationOf({ startedAt, finishedAt, lastEventAt }: RunSummary): number {
  const stop = finishedAt ?? lastEventAt;
  return startedAt === null || stop === null ? 0 : Math.max(0, Date.parse(stop) - Date.parse(startedAt));
}
