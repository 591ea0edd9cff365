import { isFileName } from '../kernel/text.ts';

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether a run may be called so. Its archive is a file of that name, in lower case, on whatever system. */
export const isRunId = (text: string): boolean => pattern.test(text) && isFileName(text);
