import { firstOwnPlace } from '../../run-contract/stack-frames.ts';
import type { FailingTests, RunSummary, ScenarioView } from './contract.ts';

const messageLength = 200;
const signatureLength = 120;

/** A scenario that failed or has no verdict. */
export const isFailing = (outcome: ScenarioView['outcome']): boolean =>
  outcome === null || outcome === 'Failed' || outcome === 'Aborted';

/** Groups failures that are equal after removing run-specific details, largest group first. */
export function failingTestsOf(run: RunSummary, scenarios: readonly ScenarioView[]): FailingTests {
  const groups = new Map<string, FailingTests['groups'][number]>();
  const ended = run.state !== 'running';
  for (const scenario of scenarios) {
    if (scenario.outcome === null && !ended) continue;
    const message = messageOf(scenario);
    const signature = scenario.outcome === null ? 'no verdict' : signatureOf(message ?? '') || scenario.outcome;
    const group = groups.get(signature) ?? { signature, count: 0, tests: [] };
    group.count += 1;
    group.tests.push({ uid: scenario.uid, ...locationOf(scenario), message: message?.slice(0, messageLength) ?? null });
    groups.set(signature, group);
  }
  const { runId, suite, state } = run;
  return { runId, suite, state, groups: [...groups.values()].sort((a, b) => b.count - a.count) };
}

const messageOf = ({ errorMessage, steps }: ScenarioView): string | null =>
  errorMessage ?? steps.findLast((step) => step.errorMessage !== null)?.errorMessage ?? null;

/** The first line without numbers, ids, addresses, times and quoted values. */
export function signatureOf(message: string): string {
  const [line = ''] = message.trim().split('\n', 1);
  return line
    .slice(0, longestLine)
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '<id>')
    .replace(/\b0x[0-9a-f]+\b/gi, '<address>')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '<value>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<n>')
    .slice(0, signatureLength);
}

/** Characters beyond this do not matter for grouping. */
const longestLine = 2_000;

/** The location reported by the publisher, otherwise the first frame in the project's own code. */
function locationOf({ file, line, steps, ...scenario }: ScenarioView): { file: string | null; line: number | null } {
  if (file) return { file, line: line ?? null };
  const step = steps.findLast(({ stackTrace, errorMessage }) => stackTrace || errorMessage);
  const trace = [step?.stackTrace, scenario.errorMessage, step?.errorMessage].filter(Boolean).join('\n');
  const place = firstOwnPlace(trace);
  return { file: place?.file ?? null, line: place?.line ?? null };
}
