import { createRunTask, type RunTask } from './task.ts';

/** The time limit of all long work together in one turn of the event loop, and so of the delay of a ping. */
const budgetMs = 6;
/** Reading the clock costs more than most slices. */
const slicesPerClockRead = 16;

let turnBeganAt = 0;
let turn: NodeJS.Immediate | undefined;
let slices = 0;
/** First paused, first resumed. */
const paused: Array<() => void> = [];

/** One budget for all tasks of a turn: with one budget each, fifty concurrent requests would block the loop for fifty budgets. */
export function createTimeBudget() {
  beginTurn();
  return { isSpent, pause };
}

function isSpent(weight = 1): boolean {
  beginTurn();
  slices += weight;
  if (slices < slicesPerClockRead) return false;
  slices = 0;
  return isTurnSpent();
}

function pause(): Promise<void> {
  beginTurn();
  return new Promise((resolve) => paused.push(resolve));
}

/** Called before work that cannot be split, or after a step: `undefined` while this turn has time left. */
export function yieldIfBusy(): Promise<void> | undefined {
  beginTurn();
  return isTurnSpent() ? pause() : undefined;
}

/** Runs a task in steps that share the turns of the event loop with everything else. */
export const runCooperatively: RunTask = createRunTask(yieldIfBusy);

const isTurnSpent = (): boolean => performance.now() - turnBeganAt > budgetMs;

/** A turn lasts from its first long work until the event loop has completed a cycle. */
function beginTurn(): void {
  if (turn) return;
  turnBeganAt = performance.now();
  turn = setImmediate(endTurn);
}

function endTurn(): void {
  turn = undefined;
  if (paused.length === 0) return;
  beginTurn();
  resumeFirst();
}

/** Resumes at least one task in each turn, however long the machine was busy with something else. */
function resumeFirst(): void {
  paused.shift()?.();
  // A tick runs after everything that follows from the promise, so the time used by one task is known before the next
  // continues.
  if (paused.length > 0) queueMicrotask(() => process.nextTick(resumeNext));
}

function resumeNext(): void {
  if (!isTurnSpent()) resumeFirst();
}
