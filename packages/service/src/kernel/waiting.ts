import { z } from 'zod';

/** Some clients give up on a call after a minute: what waits answers before that. */
export const defaultWaitSeconds = 40;
export const timeoutSeconds = z.number().min(0).max(50).nullish();
