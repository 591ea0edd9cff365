import { isObject } from '../../kernel/is-object.ts';
import type { RunState, RunSummary } from '../../kernel/run-summary.ts';

const states: ReadonlySet<unknown> = new Set<RunState>(['running', 'finished', 'orphaned', 'unreadable']);

/**
 * A run as any console with this interface lists it; null if the value is not a run. Other consoles have no `state`, no verdict of their own
 * and no figures before the end: these are derived as this console would.
 */
export function runSummaryFrom(value: unknown): RunSummary | null {
  if (!isObject(value) || typeof value.runId !== 'string' || typeof value.suite !== 'string') return null;
  if (isOwn(value)) return value;
  const { finished } = value;
  if (typeof finished !== 'boolean') return null;
  const text = (member: string) => (typeof value[member] === 'string' ? value[member] : null);
  const state: RunState = finished ? 'finished' : value.orphaned === true ? 'orphaned' : 'running';
  const [startedAt, finishedAt] = [instantOf(value.startedAt), instantOf(value.finishedAt)];
  return {
    runId: value.runId.toLowerCase(),
    host: text('host') ?? '',
    suite: value.suite,
    repository: text('repository') ?? '(unknown)',
    repositoryName: text('repositoryName'),
    repositoryId: text('repositoryId'),
    branch: text('branch'),
    mode: text('mode') ?? 'unknown',
    tag: text('tag'),
    session: text('session'),
    command: text('command'),
    commit: text('commit'),
    dirty: null,
    interrupted: text('interrupted'),
    state,
    finished,
    orphaned: state === 'orphaned',
    ...figuresOf(value, state),
    publisher: null,
    trust: 'local',
    startedAt,
    finishedAt,
    receivedAt: null,
    endedAt: null,
    clockSkewMs: null,
    late: 0,
    lastEventAt: finishedAt ?? startedAt,
    expectedMs: null,
  };
}

function figuresOf(value: Record<string, unknown>, state: RunState) {
  const wholeOrNull = (member: string) => {
    const found = value[member];
    return typeof found === 'number' && Number.isInteger(found) ? found : null;
  };
  const whole = (member: string) => wholeOrNull(member) ?? 0;
  const [passed, failed, passedOnRetry] = [whole('passed'), whole('failed'), whole('passedOnRetry')];
  const [skipped, indeterminate] = [whole('skipped'), whole('indeterminate')];
  const [scenarios, scenariosFinished] = [whole('scenarios'), whole('scenariosFinished')];
  const [totalScenarios, exitCode] = [wholeOrNull('totalScenarios'), wholeOrNull('exitCode')];
  const isInFigures = state === 'finished' && scenariosFinished === 0;
  const missing = Math.max(0, Math.max(scenarios, totalScenarios ?? 0) - scenariosFinished - indeterminate);
  const told = {
    ...{ exitCode, scenarios, scenariosFinished, totalScenarios },
    ...{ passed, failed, passedOnRetry, skipped, indeterminate },
    lost: state === 'running' || isInFigures ? 0 : missing,
    running: state === 'running' ? Math.max(0, scenarios - scenariosFinished) : 0,
    counted: isInFigures ? ('figures' as const) : true,
  };
  return { ...told, green: greenOf({ ...told, state }) };
}

/** A run with a `state` comes from this product and then has all other members. */
const isOwn = (value: object): value is RunSummary => 'state' in value && states.has(value.state);

type Judged = Pick<
  RunSummary,
  'state' | 'exitCode' | 'passed' | 'passedOnRetry' | 'failed' | 'indeterminate' | 'lost' | 'scenariosFinished'
>;

function greenOf(run: Judged): boolean | null {
  if (run.state !== 'finished') return run.state === 'orphaned' ? false : null;
  if (run.exitCode !== 0 || run.failed > 0 || run.indeterminate > 0) return false;
  return run.lost > 0 && run.scenariosFinished > 0 ? null : run.passed + run.passedOnRetry > 0;
}

function instantOf(value: unknown): string | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
