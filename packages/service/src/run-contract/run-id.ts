import { isFileName } from '../kernel/text.ts';

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether this is a valid run id. Its lower-case form must be a valid file name on every system. */
export const isRunId = (text: string): boolean => pattern.test(text) && isFileName(text);
