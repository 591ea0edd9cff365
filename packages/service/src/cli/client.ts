import { parentIn } from '../../../publisher/src/trace.ts';
import type { ConsoleApi, RestApi } from '../browser/api.ts';
import { type Call, callOver, type RestResponse } from '../browser/call.ts';
import { problemIn } from '../browser/problem.ts';
import type { RestRequest } from '../browser/rest-request.ts';
import { consoleRoutes, routes } from '../browser/routes.ts';
import { restHeaders } from '../client/rest-link.ts';
import { addressOf, targets } from './addresses.ts';
import { CallFailed, exitCodes } from './call-failed.ts';
import { tokenFor } from './credentials.ts';
import { clockTime } from './figures.ts';
import { type HttpAnswer, httpRequest } from './http-request.ts';

export { CallFailed, exitCodes };

/** `signal` ends the wait for the answer. */
type CallOptions = { signal: AbortSignal };

export type RestClient<Api extends RestApi | ConsoleApi = RestApi> = {
  url: string;
  /** One call by its name; a refusal becomes a `CallFailed` with its own message. */
  call: Call<Api, CallOptions>;
  send(request: RestRequest, options?: CallOptions): Promise<HttpAnswer>;
  /** When the host that answered last lost its database; null if it is reachable. */
  staleSince(): string | null;
};

export type ConsoleClient = RestClient<ConsoleApi>;

type Env = Readonly<Record<string, string | undefined>>;

export const urlOption = [
  '--url <address>',
  `the service (default: ${targets.service[0]}, else ${targets.service[1]})`,
] as const;

export const consoleUrlOption = [
  '--url <address>',
  `the run console (default: ${targets.console[0]}, else ${targets.console[1]})`,
] as const;

/** A client of the coordination port of a running service. `silent`: the caller itself shows that an answer is old. */
export function createClient(url: string | undefined, env: Env = process.env, silent = false): RestClient {
  const connection = connectionTo('service', url, env, silent);
  const call = callOver<RestApi, CallOptions>(routes, transportOver(connection));
  return { url: connection.root, send: connection.send, staleSince: connection.staleSince, call };
}

/** A client of a run console. */
export function createConsoleClient(url: string | undefined, env: Env = process.env): ConsoleClient {
  const connection = connectionTo('console', url, env);
  const call = callOver<ConsoleApi, CallOptions>(consoleRoutes, transportOver(connection));
  return { url: connection.root, send: connection.send, staleSince: connection.staleSince, call };
}

const transportOver = ({ send, root, target }: ReturnType<typeof connectionTo>) => ({
  async send(request: RestRequest, options: CallOptions | undefined): Promise<RestResponse> {
    const response = await send(request, options);
    if (response.status === 404 && target === 'service') await refuseConsole(root, send);
    return { status: response.status, text: await response.text() };
  },
  refused,
  part: pathSegment,
});

const readOnly = 'Writes are refused until it is back.';

function connectionTo(target: keyof typeof targets, url: string | undefined, env: Env, silent = false) {
  const [variable] = targets[target];
  const root = addressOf(target, url, env);
  // Calls made within a trace continue it, for example for runs and claims.
  const parent = parentIn(env);
  const tracing = parent === null ? {} : { traceparent: parent };
  let staleSince: string | null = null;
  const send: RestClient['send'] = async (request, options) => {
    try {
      const { method, path, body } = request;
      const token = await tokenFor(root, env);
      const sent = { method, headers: { ...restHeaders(request, token), ...tracing }, body, ...options };
      const answer = await httpRequest(`${root}${path}`, sent);
      const before = staleSince;
      staleSince = answer.header('signalbox-stale-since') ?? null;
      if (staleSince !== null && before === null && !silent)
        process.stderr.write(
          `The database has been unreachable since ${clockTime(staleSince)}: this answer is from that time. ${readOnly}\n`,
        );
      return answer;
    } catch (fault) {
      const { connectionFault } = await import('../coordination/runs/io/connection-fault.ts');
      const { nothingAnswers } = await import('./nothing-answers.ts');
      const why = (await connectionFault(root, fault)) ?? (await nothingAnswers(root, variable));
      throw new CallFailed(why, exitCodes.unreachable);
    }
  };
  return { root, send, target, staleSince: () => staleSince };
}

/** Only the coordination port has this route, so it distinguishes the two ports. */
async function refuseConsole(root: string, send: RestClient['send']): Promise<void> {
  const { status } = await send({ method: 'GET', path: routes.licence.path, body: undefined, mediaType: '' });
  if (status !== 404) return;
  throw new CallFailed(
    `${root} is the run console. Coordination uses another port, 5526 by default: set it with --url or ${targets.service[0]}.`,
    exitCodes.usage,
  );
}

/** A name as one URL segment. `.` and `..` would lead to another URL, and nothing has these names. */
export function pathSegment(name: string): string {
  if (/^\.{1,2}$/.test(name))
    throw new CallFailed(
      `"${name}" is not a valid name. Use an id from a list, such as "signalbox runs".`,
      exitCodes.usage,
    );
  return encodeURIComponent(name);
}

/** Replaces the service's general message, because on the command line the token always comes from the same place. */
export const tokenHint =
  'Set SIGNALBOX_TOKEN to a token of the service, or run "signalbox login" if the service has a sign-in provider.';

/** The service's own message of a refusal. */
export function refused({ status, text }: RestResponse): CallFailed {
  const { code, detail, errors } = problemIn(text);
  const faults = errors.map(({ path, message }) => `  ${path === '' ? '(body)' : path}: ${message}`);
  const head = detail ? `${detail} (${code})` : `The service answered ${status}. ${text.slice(0, 200)}`;
  const hint = status === 401 ? [tokenHint] : [];
  return new CallFailed([head, ...faults, ...hint].join('\n'), exitCodes.refused, status);
}
