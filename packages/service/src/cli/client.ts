import { trimEndOf } from '../kernel/trim.ts';
/** Why a call from the command line did not come to an answer, with the exit code that tells so. */
export class CallFailed extends Error {
  readonly exitCode: number;
  /** The HTTP status of a refusal. */
  readonly status: number | undefined;
  constructor(message: string, exitCode: number, status?: number) {
    super(message);
    this.exitCode = exitCode;
    this.status = status;
  }
}

/** 0 done, 1 refused by the service, 2 wrong words on the command line, 3 no service to be reached. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;

export type RestClient = {
  url: string;
  call(method: string, path: string, body?: string, mediaType?: string, signal?: AbortSignal): Promise<Response>;
  /** The same, read as JSON; a refusal becomes a `CallFailed` in its own words. */
  json<Answer>(method: string, path: string, body?: string, mediaType?: string): Promise<Answer>;
};

type Env = Readonly<Record<string, string | undefined>>;

/** Publishers read SIGNALBOX_URL too, so it is the console's; coordination has a variable of its own. */
const targets = {
  service: ['SIGNALBOX_SERVICE_URL', 'http://localhost:5526'],
  console: ['SIGNALBOX_URL', 'http://localhost:5525'],
} as const;

export const urlOption = [
  '--url <address>',
  `the service (default: ${targets.service[0]}, else ${targets.service[1]})`,
] as const;

export const consoleUrlOption = [
  '--url <address>',
  `the run console (default: ${targets.console[0]}, else ${targets.console[1]})`,
] as const;

/** Empty means unset, and `host:port` an http address, as publishers read the same variables. */
const nonEmpty = (text: string | undefined): string | undefined => text?.trim() || undefined;

function addressOf(target: keyof typeof targets, url: string | undefined, env: Env): string {
  const [variable, otherwise] = targets[target];
  const text = nonEmpty(url) ?? nonEmpty(env[variable]) ?? otherwise;
  return trimEndOf(text.includes('://') ? text : `http://${text}`, '/');
}

export const serviceAddress = (url: string | undefined, env: Env = process.env): string =>
  addressOf('service', url, env);

export const tokenOf = (env: Env): string | undefined => nonEmpty(env.SIGNALBOX_TOKEN) ?? nonEmpty(env.Service__Token);

/** Talks to the coordination port of a running service. */
export const createClient = (url: string | undefined, env: Env = process.env): RestClient =>
  clientAt('service', url, env);

/** Talks to a run console. */
export const createConsoleClient = (url: string | undefined, env: Env = process.env): RestClient =>
  clientAt('console', url, env);

function clientAt(target: keyof typeof targets, url: string | undefined, env: Env): RestClient {
  const [variable, otherwise] = targets[target];
  const root = addressOf(target, url, env);
  const token = tokenOf(env);
  const call: RestClient['call'] = async (method, path, body, mediaType = 'application/json', signal) => {
    if (!/^https?:$/.test(URL.parse(root)?.protocol ?? ''))
      throw new CallFailed(`${root} is no http address. Use one such as ${otherwise}.`, exitCodes.usage);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': mediaType }),
    };
    try {
      const init = { method, headers, ...(body === undefined ? {} : { body }), ...(signal && { signal }) };
      return await fetch(`${root}${path}`, init);
    } catch {
      throw new CallFailed(
        `Nothing answers at ${root}. Start it with "signalbox start", or name its address with --url or ${variable}.`,
        exitCodes.unreachable,
      );
    }
  };
  return {
    url: root,
    call,
    async json<Answer>(method: string, path: string, body?: string, mediaType?: string) {
      const response = await call(method, path, body, mediaType);
      const text = await response.text();
      if (!response.ok) throw refused(response.status, text);
      return (text === '' ? {} : JSON.parse(text)) as Answer;
    },
  };
}

/** The words of the service are for every caller; on the command line the token comes from one place. */
export const tokenHint = 'Set SIGNALBOX_TOKEN to the token of the service.';

type ProblemBody = { detail?: string; code?: string; errors?: Array<{ path: string; message: string }> };

/** A refusal in its own words. */
export function refused(status: number, text: string): CallFailed {
  let problem: ProblemBody = {};
  try {
    problem = JSON.parse(text) as ProblemBody;
  } catch {
    // What is no problem object is no Signalbox: its text says nothing that helps.
  }
  const faults = (problem.errors ?? []).map(({ path, message }) => `  ${path === '' ? '(body)' : path}: ${message}`);
  const head = problem.detail
    ? `${problem.detail} (${problem.code})`
    : `The service answered ${status}. ${text.slice(0, 200)}`;
  const hint = status === 401 ? [tokenHint] : [];
  return new CallFailed([head, ...faults, ...hint].join('\n'), exitCodes.refused, status);
}
