import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '../browser/routes.ts';
import { tokenOf } from './addresses.ts';

// Every command loads this file, `prompt` included, so it must import nothing that is slow to load.

type Env = Readonly<Record<string, string | undefined>>;

/** The credentials that `signalbox login` stores for one service: a pass for calls, and a token that renews it. */
export type Credentials = {
  name: string;
  token: string;
  expiresAt: string;
  renewal: string;
  /** The run console of the same service. */
  consoleUrl: string | null;
};
type Kept = Readonly<Record<string, Credentials>>;

/** Renewed this long before it expires, so that it does not expire during a call. */
const renewMs = 30_000;
/** A process that holds the lock this long is dead: a renewal times out sooner. */
const lockMs = 30_000;

export const credentialsPath = (env: Env): string =>
  join(env.XDG_CONFIG_HOME || env.APPDATA || join(env.HOME || homedir(), '.config'), 'signalbox', 'credentials.json');

/** The token of the environment, or the pass of the person signed in at that service. */
export async function tokenFor(root: string, env: Env = process.env): Promise<string | undefined> {
  return tokenOf(env) ?? (await passFor(root, env));
}

/** The stored token without renewal, for callers that must not wait. */
export function tokenNow(root: string, env: Env): string | undefined {
  const kept = keptFor(root, env);
  return tokenOf(env) ?? (kept && !isOver(kept, 0) ? kept.token : undefined);
}

/** The person signed in at a service, found by the address of either port. */
export function keptFor(root: string, env: Env): Credentials | undefined {
  const kept = readKept(env);
  return kept[root] ?? Object.values(kept).find(({ consoleUrl }) => consoleUrl === root);
}

const isOver = ({ expiresAt }: Credentials, earlierMs: number): boolean =>
  Date.parse(expiresAt) - earlierMs <= Date.now();

async function passFor(root: string, env: Env): Promise<string | undefined> {
  const kept = keptFor(root, env);
  if (!kept || !isOver(kept, renewMs)) return kept?.token;
  return withLock(env, async () => {
    // Another command may have renewed it meanwhile, which invalidates the old renewal token.
    const now = keptFor(root, env);
    if (!now || !isOver(now, renewMs)) return now?.token;
    const renewed = await renew(serviceOf(root, env), now);
    // The service's own refusal explains best what to do.
    if (!renewed) return now.token;
    keep(serviceOf(root, env), { ...renewed, consoleUrl: now.consoleUrl }, env);
    return renewed.token;
  });
}

const serviceOf = (root: string, env: Env): string =>
  Object.entries(readKept(env)).find(([url, { consoleUrl }]) => url === root || consoleUrl === root)?.[0] ?? root;

async function renew(root: string, { renewal }: Credentials): Promise<Omit<Credentials, 'consoleUrl'> | undefined> {
  const { httpRequest } = await import('./http-request.ts');
  const { method, path } = routes.renew_sign_in;
  const headers = { 'content-type': 'application/json' };
  const sent = { method, headers, body: JSON.stringify({ renewal }), signal: AbortSignal.timeout(lockMs / 2) };
  const answer = await httpRequest(`${root}${path}`, sent).catch(() => undefined);
  return answer?.ok ? JSON.parse(await answer.text()) : undefined;
}

export function keep(root: string, credentials: Credentials | undefined, env: Env): void {
  const { [root]: _, ...others } = readKept(env);
  const path = credentialsPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const text = JSON.stringify(credentials ? { ...others, [root]: credentials } : others, null, 2);
  writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

function readKept(env: Env): Kept {
  try {
    const path = credentialsPath(env);
    const { mode, uid } = statSync(path);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (isOurs) return JSON.parse(readFileSync(path, 'utf8'));
    process.stderr.write(`${path} can be read by others and is ignored. Run "signalbox login" again.\n`);
    return {};
  } catch {
    return {};
  }
}

/** One command at a time: a renewal token works only once. */
async function withLock<Answer>(env: Env, work: () => Promise<Answer>): Promise<Answer> {
  const path = `${credentialsPath(env)}.lock`;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { mode: 0o600, flag: 'wx' });
      break;
    } catch {
      const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > lockMs) rmSync(path, { force: true });
      await sleep(50);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
