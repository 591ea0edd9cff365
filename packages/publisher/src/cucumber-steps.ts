import type { Child, Hook, Located, Pickle, PickleStep, StepResult, TestStep } from './cucumber-api.ts';
import type { StepKind } from './events.ts';
import { type Failure, failureOf } from './failure.ts';
import { plain } from './text.ts';

export type Told = { stepId: string; text: string; kind: StepKind };

const kinds: Record<string, StepKind> = { Context: 'Given', Action: 'When', Outcome: 'Then' };
/** Only scenarios that request it count as skipped; pending and undefined ones are still to do. */
export function stateOf(worst: string): 'passed' | 'failed' | 'skipped' {
  if (worst === 'PASSED' || worst === 'UNKNOWN') return 'passed';
  return worst === 'SKIPPED' || worst === 'PENDING' ? 'skipped' : 'failed';
}

const hookKinds: Record<string, string> = {
  BEFORE_TEST_RUN: 'BeforeAll',
  AFTER_TEST_RUN: 'AfterAll',
  BEFORE_TEST_CASE: 'Before',
  AFTER_TEST_CASE: 'After',
  BEFORE_TEST_STEP: 'BeforeStep',
  AFTER_TEST_STEP: 'AfterStep',
};
export const hookText = ({ type = '', name }: Hook, otherwise = 'Hook'): string =>
  `${hookKinds[type] ?? otherwise}${name ? `: ${name}` : ''}`;

export function describe(
  { pickleStepId, hookId = '' }: TestStep,
  pickle: Pickle,
  hooks: ReadonlyMap<string, Hook>,
  isAfter: boolean,
): Told {
  const step = pickle.steps.find((candidate) => candidate.id === pickleStepId);
  if (step) return { stepId: step.text, text: withArgument(step), kind: kinds[step.type ?? ''] ?? 'Given' };
  const text = hookText(hooks.get(hookId) ?? { id: hookId }, isAfter ? 'After' : 'Before');
  return { stepId: text, text, kind: isAfter ? 'TearDown' : 'SetUp' };
}

/** A step with the text or table that belongs to it. */
function withArgument({ text, argument: { docString, dataTable } = {} }: PickleStep): string {
  const rows = (dataTable?.rows ?? []).map(({ cells }) => `| ${cells.map(({ value }) => value).join(' | ')} |`);
  const doc = docString ? ['"""', docString.content, '"""'] : [];
  return plain([text, ...doc, ...rows].join('\n'), 8_000);
}

export function failureIn({ status, message, exception }: StepResult, step: string, folder: string): Failure {
  if (status !== 'FAILED') return failureOf(`The step "${step}" is ${status.toLowerCase()}.`, folder);
  const stack = exception?.stackTrace ?? message ?? '';
  return failureOf({ name: exception?.type, message: exception?.message ?? message?.split('\n')[0], stack }, folder);
}

export const locatedIn = (children: readonly Child[]): Located[] =>
  children.flatMap(({ scenario, rule }) => [
    ...(scenario ? [scenario, ...(scenario.examples ?? []).flatMap((examples) => examples.tableBody ?? [])] : []),
    ...(rule ? locatedIn(rule.children) : []),
  ]);
