import { jsonInSteps, type Task } from '../event-loop/task.ts';

const texts = new WeakMap<object, string>();

/** An answer as JSON. An answer that is stored with its key and then sent is serialised once. */
export function answerText(answer: unknown): string {
  return (mayBeKey(answer) ? texts.get(answer) : undefined) ?? JSON.stringify(answer);
}

/** An answer as JSON, kept because it will be requested again; nothing may change it from here on. */
export function keptAnswerText(answer: unknown): string | null {
  const text: string | undefined = JSON.stringify(answer);
  if (text !== undefined && mayBeKey(answer)) texts.set(answer, text);
  return text ?? null;
}

/** An answer with long lists as JSON, one item per step. */
export function* keepLongAnswerText(answer: object): Task<void> {
  texts.set(answer, yield* jsonInSteps(answer));
}

/** Lists can also be keys of a WeakMap. */
const mayBeKey = (value: unknown): value is object => typeof value === 'object' && value !== null;
