import { type SourcePlace, type StackLine, stackLines } from '../../../run-contract/stack-frames.ts';
import type { ScenarioView, StepView } from '../contract.ts';

/** One failure, ready to be shown, without repetitions. */
export type FailureView = {
  name: string | null;
  /** The first lines of the message, without a comparison that is shown by itself. */
  message: string;
  compared: { expected: string; actual: string } | null;
  place: SourcePlace | null;
  frame: { start: number; line: number | null; lines: readonly string[] } | null;
  /** Frames, the project's own first even if the runner put them elsewhere. Empty if `trace` is shown. */
  stack: readonly StackLine[];
  /** A stack that is not a list of frames, such as that of pytest. */
  trace: string | null;
  /** The chain of causes, outermost first. */
  causes: readonly string[];
  /** The hook that failed, if it was a hook. */
  step: string | null;
};

type ErrorDetail = ScenarioView['errors'][number];
/** The members that an attempt and a scenario share. */
export type Failing = Pick<ScenarioView, 'errors' | 'errorMessage'> & { steps: readonly StepView[] };

/** All errors of an attempt. A failure in both a step and the verdict counts once. */
export function failuresOf({ errors, errorMessage, steps }: Failing): FailureView[] {
  if (errors.length > 0) return errors.map((error) => failureOf(error));
  const broken = steps.filter(hasFailed);
  const failures = broken.map((step) => failureOf(errorOfStep(step), step.text));
  const isTold = errorMessage === null || broken.some((step) => step.errorMessage === errorMessage);
  return isTold ? failures : [...failures, failureOf(errorInText(errorMessage))];
}

const hasFailed = ({ errorMessage, stackTrace }: StepView): boolean => errorMessage !== null || stackTrace !== null;

function errorOfStep(step: StepView): ErrorDetail {
  const { errorMessage, exceptionType, stackTrace, stackFrames } = step;
  const frames = stackFrames.map((frame) => (/^\s*at /.test(frame) ? frame : `   at ${frame}`)).join('\n');
  const inText = errorInText(errorMessage ?? '');
  return { ...inText, name: exceptionType, stack: stackTrace ?? (frames || inText.stack || null) };
}

/** Many publishers send the stack inside the message. */
function errorInText(text: string): ErrorDetail {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^\s+at \S/.test(line));
  if (from < 0) return { message: text };
  return { message: lines.slice(0, from).join('\n'), stack: lines.slice(from).join('\n') };
}

function failureOf(error: ErrorDetail, step: string | null = null): FailureView {
  const compared = comparedIn(error);
  const stack = error.stack ?? null;
  const isList = stack === null || /^[ \t]*at \S/m.test(stack);
  const listed = isList && stack ? stackLines(withoutMessage(stack)) : [];
  const place = placeOf(error) ?? listed.find(({ own }) => own)?.place ?? null;
  const lines = error.frame?.lines ?? [];
  return {
    name: error.name ?? null,
    message: messageOf(error, compared !== null, !isList),
    compared,
    place,
    frame: lines.length === 0 ? null : { start: error.frame?.start ?? 1, line: place?.line ?? null, lines },
    stack: listed,
    trace: isList ? null : stack,
    causes: error.cause ? error.cause.split('\ncaused by ') : [],
    step,
  };
}

function placeOf({ place }: ErrorDetail): SourcePlace | null {
  if (!place?.file) return null;
  return { file: place.file, line: place.line ?? 1, column: place.column ?? null };
}

/** A stack begins with the message, which is already shown. */
function withoutMessage(stack: string): string {
  const lines = stack.split('\n');
  const from = lines.findIndex((line) => /^\s*at \S/.test(line));
  return (from < 0 ? lines : lines.slice(from)).join('\n');
}

/**
 * Jest and similar runners write the comparison into the message; if the comparison is shown separately, only the headline is kept.
 * A traceback contains the rest of the message.
 */
function messageOf({ message, name }: ErrorDetail, isCompared: boolean, isInTrace: boolean): string {
  const text = (message ?? '').trim();
  const kind = `${name ?? 'Error'}: `;
  const phase = /^(?:setup|teardown): /.exec(text)?.[0] ?? '';
  const bare = text.startsWith(phase + kind) ? phase + text.slice(phase.length + kind.length) : text;
  if (isInTrace) return bare.split('\n', 1)[0] ?? '';
  if (!isCompared) return bare;
  const [headline = ''] = bare.split(/\n\s*\n|\n(?=\s*[-+] )/, 1);
  return [headline, ...besideComparison(bare.slice(headline.length))].join('\n');
}

/**
 * Playwright's report in addition to the comparison: where it looked, how long it waited, and what it found meanwhile.
 */
function besideComparison(rest: string): string[] {
  const lines = rest.split('\n');
  const log = lines.findIndex((line) => line.trim() === 'Call log:');
  const before = log < 0 ? lines : lines.slice(0, log);
  return [...before.filter((line) => /^(?:Locator|Timeout|Error): /.test(line)), ...(log < 0 ? [] : lines.slice(log))];
}

const expectedLine = /^[ \t]*Expected(?: \w+)?: +(\S.*)$/m;
const receivedLine = /^[ \t]*(?:Received|Actual)(?: \w+)?: +(\S.*)$/m;

/** The compared values: from the publisher, otherwise from two lines of the message. */
function comparedIn({ expected, actual, message }: ErrorDetail): FailureView['compared'] {
  if (expected != null || actual != null) return { expected: expected ?? '', actual: actual ?? '' };
  const text = (message ?? '').slice(0, longestMessage);
  const [wanted, got] = [expectedLine.exec(text)?.[1], receivedLine.exec(text)?.[1]];
  return wanted === undefined || got === undefined ? null : { expected: wanted, actual: got };
}
const longestMessage = 8_000;
