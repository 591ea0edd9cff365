import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { pathOf, pathsOf } from '../app/setting-kinds.ts';
import { trimEndOf } from '../kernel/text.ts';
import { type ObserveOptions, observe } from './observe.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type ObserverArguments = {
  to: string;
  name?: string | undefined;
  enter?: string | undefined;
  tokenFile?: string | undefined;
};

/** Observes until a signal ends it, or the service refuses it. Returns the exit code. */
export async function runObserver(args: ObserverArguments, env: Env, version: string): Promise<number> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const token = args.tokenFile === undefined ? env.SIGNALBOX_TOKEN : readFileSync(args.tokenFile, 'utf8');
  const observing = observe({
    to: addressFrom(args.to),
    token: token?.trim() || undefined,
    name: args.name ?? hostname(),
    enter: args.enter,
    version,
    ...sessionFolders(env),
    say,
  });
  // The clock's timers do not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  const signalled = new Promise<null>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(null));
  });
  const reason = await Promise.race([observing.refused, signalled]);
  clearInterval(alive);
  await observing.stop();
  if (reason !== null) say(`The service refuses what this observer sends: ${reason}`);
  return reason === null ? 0 : 1;
}

const addressFrom = (text: string): string => trimEndOf(text.includes('://') ? text : `http://${text}`, '/');

/** The session folders of the tools, by the tools' own variables. */
function sessionFolders(env: Env): Pick<ObserveOptions, 'claudePaths' | 'folderOf'> {
  const places = { cwd: process.cwd(), home: homedir() };
  return {
    claudePaths: pathsOf(env.CLAUDE_CONFIG_DIR || '~/.claude', places),
    folderOf: ({ variable, fallback, folder = [] }) =>
      pathOf([env[variable] || fallback, folder].flat().join('/'), places),
  };
}
