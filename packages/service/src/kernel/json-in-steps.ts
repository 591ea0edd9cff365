import { eachOf, type Steps } from './in-turns.ts';

/** An object as JSON, one item of each of its lists a step. */
export function* jsonInSteps(object: object): Steps<string> {
  const members: string[] = [];
  for (const [member, value] of Object.entries(object)) {
    const text: string | undefined = Array.isArray(value) ? yield* listInSteps(value) : JSON.stringify(value);
    if (text !== undefined) members.push(`${JSON.stringify(member)}:${text}`);
    yield;
  }
  return `{${members.join()}}`;
}

function* listInSteps(list: readonly unknown[]): Steps<string> {
  return `[${(yield* eachOf(list, (item) => JSON.stringify(item) ?? 'null')).join()}]`;
}
