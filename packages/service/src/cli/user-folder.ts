import { resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Where the user stands: `npm run signalbox` of a checkout runs in the checkout and tells where it was called. */
export function userFolder(env: Env, cwd: string): string {
  return env.npm_lifecycle_event === 'signalbox' && env.INIT_CWD ? env.INIT_CWD : cwd;
}

/** A file as the user named it. */
export const userFile = (path: string): string => resolve(userFolder(process.env, process.cwd()), path);
