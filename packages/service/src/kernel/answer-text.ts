import { eachOf, type Steps } from './in-turns.ts';

const texts = new WeakMap<object, string>();

/** An answer as JSON. What is remembered with a key and then sent is written once. */
export function answerText(answer: unknown): string {
  return (isObject(answer) ? texts.get(answer) : undefined) ?? JSON.stringify(answer);
}

/** The same for an answer that will be asked for again; nothing may change it from here on. */
export function keptAnswerText(answer: unknown): string | null {
  const text: string | undefined = JSON.stringify(answer);
  if (text !== undefined && isObject(answer)) texts.set(answer, text);
  return text ?? null;
}

/** The same for an answer with a long list, one item a step. */
export function* keepLongAnswerText(answer: object, list: string): Steps<void> {
  const members: string[] = [];
  for (const [member, value] of Object.entries(answer)) {
    const items = member === list ? yield* eachOf<unknown, string>(value, (item) => JSON.stringify(item)) : undefined;
    const text = items ? `[${items.join()}]` : JSON.stringify(value);
    if (text !== undefined) members.push(`${JSON.stringify(member)}:${text}`);
    yield;
  }
  texts.set(answer, `{${members.join()}}`);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
