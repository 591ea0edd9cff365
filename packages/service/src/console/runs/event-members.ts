// Members that several monitor events share, and the kinds of what they hold. No imports: the browser has them too.

/**
 * `shown` is any single value, kept as the text that a person sees. A `text` is shortened where it is very long; a `name`, which identifies something, and the `content` of a file are not.
 */
export type Plain = 'text' | 'name' | 'content' | 'shown' | 'whole' | 'flag' | 'time' | 'texts' | 'wholes' | 'words';
export type Members = { readonly [member: string]: Plain | ListOf | ObjectWith };
/** A list of objects with these members. */
export type ListOf = { readonly of: Members };
/** One object with these members. */
export type ObjectWith = { readonly with: Members };

export const cell = {
  name: 'text',
  status: 'text',
  expected: 'shown',
  actual: 'shown',
  note: 'text',
  rowIndex: 'whole',
  value: 'shown',
  comparison: 'text',
} as const satisfies Members;

/** Where a failure points to; our own publishers send it, others leave it out. */
export const place = { stackTrace: 'text', file: 'text', line: 'whole' } as const satisfies Members;
/** The process that publishes it, where several publish one run. */
export const participating = { participant: 'name' } as const satisfies Members;
/** The identity of a test, and where it is written; files are relative to the repository. */
export const written = {
  file: 'text',
  line: 'whole',
  column: 'whole',
  project: 'text',
  path: 'texts',
  order: 'whole',
  tags: 'texts',
  skipReason: 'text',
  todo: 'flag',
} as const satisfies Members;
export const errorDetail = {
  message: 'text',
  name: 'text',
  stack: 'text',
  expected: 'shown',
  actual: 'shown',
  cause: 'text',
  place: { with: { file: 'text', line: 'whole', column: 'whole' } },
  frame: { with: { start: 'whole', lines: 'texts' } },
} as const satisfies Members;
/** Sent with step events by our own publishers; makes a step's identity exact. */
export const stepKey = { attempt: 'whole', stepNumber: 'whole' } as const satisfies Members;
