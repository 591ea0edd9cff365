import { type Failure, failureOf, failuresOf } from './failure.ts';
import type { Case } from './jest-api.ts';

/** Message and stack come as one text; compared values and the cause are in the details. */
export function failuresIn(root: string, { failureMessages = [], failureDetails = [] }: Case): Failure[] {
  const texts = failureMessages.length > 0 ? failureMessages : ['failed'];
  return texts.flatMap((stack, index) => {
    const detail = (failureDetails[index] ?? {}) as { matcherResult?: object; cause?: unknown; errors?: unknown };
    const { cause, errors } = detail;
    return failuresOf({ ...detail.matcherResult, cause, errors, ...readStack(stack) }, root);
  });
}

const readStack = (stack: string) => {
  const message = stack.split(/\n[ \t]+at /)[0] ?? stack;
  const [, name] = /^(\w*Error)\b/.exec(stack) ?? [];
  return { name, message: name === undefined ? message : message.replace(`${name}: `, ''), stack };
};

/** Errors of hooks come as one text, stack after stack: a line after a frame that is not a frame begins the next one. */
export function outsideErrors(root: string, stacks: string): Failure[] {
  const isFrame = (line: string | undefined) => /^\s+at /.test(line ?? '');
  const lines = stacks.split('\n');
  const starts = lines.flatMap((line, at) => (at === 0 || (isFrame(lines[at - 1]) && !isFrame(line)) ? [at] : []));
  return starts.map((at, index) =>
    failureOf(
      readStack(
        lines
          .slice(at, starts[index + 1])
          .join('\n')
          .trim(),
      ),
      root,
    ),
  );
}
