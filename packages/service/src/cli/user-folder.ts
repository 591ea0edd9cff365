import { resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The user's folder: `npm run signalbox` runs in the checkout and passes the folder it was called in. */
export function userFolder(env: Env, cwd: string): string {
  return env.npm_lifecycle_event === 'signalbox' && env.INIT_CWD ? env.INIT_CWD : cwd;
}

/** A file as the user named it. */
export const userFile = (path: string): string => resolve(userFolder(process.env, process.cwd()), path);
