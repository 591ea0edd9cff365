import type { ConsoleApi, RestApi } from 'signalbox/browser/api';
import { callOver, type RestResponse } from 'signalbox/browser/call';
import { problemIn } from 'signalbox/browser/problem';
import { type RestRequest, restRequest } from 'signalbox/browser/rest-request';
import { consoleRoutes, routes } from 'signalbox/browser/routes';
import { sendRest } from 'signalbox/client/rest-link';
import { connection, updateClockOffset, updateLink } from './connection.ts';
import { Problem, unreachable } from './problem.ts';

/** Calls a command of the service by its name. Returns its answer, or throws a `Problem` with the refusal. */
export const call = callOver<RestApi>(routes, { send, refused });

/** The same for what coordination hands on from the run console unread, and so does not type. */
export const callConsole = callOver<ConsoleApi>(consoleRoutes, { send, refused });

/** The address of a call that the browser itself opens: a download, a stream. */
export const addressOf = <Name extends keyof RestApi>(name: Name, input: RestApi[Name]['input']): string =>
  restRequest(routes[name], input).path;

async function send(request: RestRequest): Promise<RestResponse> {
  try {
    const response = await sendRest(request, { url: '' });
    updateLink(true);
    updateClockOffset(response.headers.get('date'));
    return { status: response.status, text: await response.text() };
  } catch {
    updateLink(false);
    throw unreachable();
  }
}

function refused({ status, text }: RestResponse): Problem {
  if (status === 401) connection.setState({ needsToken: true });
  return new Problem(status, problemIn(text));
}
