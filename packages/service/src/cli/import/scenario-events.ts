import type { ImportedTest } from './imported-run.ts';

export type RunEvent = { type: string; runId: string; [member: string]: unknown };
type Identity = { uid: string; scenario: string };

/** The tests of a run as monitor events. Names that repeat are numbered; a repeat that began first ends first. */
export class ScenarioEvents {
  readonly #runId: string;
  readonly #times = new Map<string, number>();
  readonly #open = new Map<string, Identity[]>();

  constructor(runId: string) {
    this.#runId = runId;
  }

  started(feature: string, name: string, at: string): RunEvent[] {
    const identity = this.#next(feature, name);
    const key = keyOf(feature, name);
    this.#open.set(key, [...(this.#open.get(key) ?? []), identity]);
    return [this.#start(identity, feature, 1, at, {})];
  }

  finished(test: ImportedTest, startedAt: string, at: string): RunEvent[] {
    const { feature, earlier, file, line } = test;
    const begun = this.#open.get(keyOf(feature, test.name))?.shift();
    const identity = begun ?? this.#next(feature, test.name);
    const { uid } = identity;
    const last = earlier.length + 1;
    const place = { ...(file !== null && { file }), ...(line !== null && { line }) };
    const start = (attempt: number) =>
      begun && attempt === 1 ? [] : [this.#start(identity, feature, attempt, startedAt, place)];
    return [
      ...earlier.flatMap((message, index) => [
        ...start(index + 1),
        this.#event('scenario_finished', { uid, outcome: 'Failed', attempts: index + 1, errorMessage: message }),
        this.#event('retry_scheduled', {
          uid,
          nextAttempt: index + 2,
          disposition: 'RetryInProcess',
          reason: message ?? 'failed',
        }),
      ]),
      ...start(last),
      ...test.steps.flatMap(({ text, status }, index) => {
        const step = { uid, stepId: text, attempt: last, stepNumber: index + 1 };
        return [
          this.#event('step_started', { ...step, kind: '', text }),
          this.#event('step_finished', { ...step, status }),
        ];
      }),
      this.#event('scenario_finished', {
        uid,
        outcome: test.outcome,
        attempts: last,
        durationMs: test.durationMs,
        errorMessage: test.outcome === 'CleanPass' ? null : test.message,
        stackTrace: test.stackTrace,
        file,
        line,
        at,
        ...detailsOf(test),
      }),
    ];
  }

  #next(feature: string, name: string): Identity {
    const plain = keyOf(feature, name);
    const times = (this.#times.get(plain) ?? 0) + 1;
    this.#times.set(plain, times);
    const more = times > 1 ? ` #${times}` : '';
    return { uid: `${plain}${more}`, scenario: `${name}${more}` };
  }

  #start({ uid, scenario }: Identity, feature: string, attempt: number, at: string, place: object): RunEvent {
    return this.#event('scenario_started', { uid, feature, scenario, attempt, at, ...place });
  }

  #event(type: string, members: object): RunEvent {
    return { type, runId: this.#runId, ...members };
  }
}

const keyOf = (feature: string, name: string): string => `${feature}/${name}`;

/** The details of a verdict, in the form that our publishers send. */
function detailsOf({ outcome, message, stackTrace, stdout, stderr }: ImportedTest): object {
  const isBad = outcome === 'Failed' || outcome === 'Aborted';
  return {
    ...(isBad && (message !== null || stackTrace !== null) && { errors: [{ message, stack: stackTrace }] }),
    ...(outcome === 'Skipped' && message !== null && { skipReason: message }),
    ...(stdout !== undefined && { stdout: lastLines(stdout) }),
    ...(stderr !== undefined && { stderr: lastLines(stderr) }),
  };
}

const outputAtMost = 64 * 1024;
const lastLines = (text: string): string[] => text.slice(-outputAtMost).trimEnd().split(/\r?\n/);
