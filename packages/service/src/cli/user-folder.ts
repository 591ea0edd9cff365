import { resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The folder in which the user typed the command: `npm run signalbox` runs in the checkout and passes it. */
export function userFolder(env: Env, cwd: string): string {
  return env.npm_lifecycle_event === 'signalbox' && env.INIT_CWD ? env.INIT_CWD : cwd;
}

/** Resolves a file name against the user's folder. */
export const userFile = (path: string): string => resolve(userFolder(process.env, process.cwd()), path);
