import type { ConsoleApi, RestApi } from 'signalbox/browser/api';
import { callOver, type RestResponse } from 'signalbox/browser/call';
import { problemIn } from 'signalbox/browser/problem';
import { type RestRequest, restRequest } from 'signalbox/browser/rest-request';
import { consoleRoutes, routes } from 'signalbox/browser/routes';
import { sendRest } from 'signalbox/client/rest-link';
import { connection, updateFreshness, updateLink } from './connection.ts';
import { Problem, unreachable } from './problem.ts';

/** Calls a command of the service by its name. Returns its answer, or throws a `Problem` with the refusal. */
export const call = callOver<RestApi>(routes, { send, refused });

/** Calls a command whose answer coordination passes on unread from the run console, which defines its type. */
export const callConsole = callOver<ConsoleApi>(consoleRoutes, { send, refused });

/** One page of a list; `next` is the cursor of the page after it. */
export type Page<Item> = { items: readonly Item[]; total: number; next: string | null };
type ListName = {
  [Name in keyof RestApi]: RestApi[Name]['output'] extends readonly unknown[] ? Name : never;
}[keyof RestApi];

/** Calls for one page of a list. Headers contain its length and whether there is more. */
/** The first page of a list. */
export const firstPage: { cursor?: string } = {};

export async function callPage<Name extends ListName>(
  name: Name,
  input: RestApi[Name]['input'],
): Promise<Page<RestApi[Name]['output'][number]>> {
  const response = await send(restRequest(routes[name], input));
  if (response.status !== 200) throw refused(response);
  const items = JSON.parse(response.text);
  return { items, total: response.total ?? items.length, next: response.next ?? null };
}

/**
 * Why the service cannot do its work; null if it does not report a reason. A service that is not ready answers 503 in
 * the same shape.
 */
export async function callReadiness(): Promise<RestApi['readiness']['output'] | null> {
  const { status, text } = await send(restRequest(routes.readiness, {}));
  return status === 200 || status === 503 ? readinessIn(text) : null;
}

function readinessIn(text: string): RestApi['readiness']['output'] | null {
  const { ready, conditions } = JSON.parse(text);
  return typeof ready === 'boolean' && Array.isArray(conditions) ? { ready, conditions } : null;
}

/** The address of a call that the browser itself opens: a download or a stream. */
export const addressOf = <Name extends keyof RestApi>(name: Name, input: RestApi[Name]['input']): string =>
  restRequest(routes[name], input).path;

/** The address of a call whose type only the run console defines. */
export const consoleAddressOf = <Name extends keyof ConsoleApi>(name: Name, input: ConsoleApi[Name]['input']): string =>
  restRequest(consoleRoutes[name], input).path;

/** The address of a file that a test attached. */
export const fileAddress = (runId: string, sha256: string): string => {
  const address = addressOf('run_attachment', { runId, sha256 });
  return exported?.files.get(address) ?? address;
};

/** The contents of an exported file: answers by the path of their request, and contents of files. */
export type ExportedAnswers = { answers: ReadonlyMap<string, string>; files: ReadonlyMap<string, string> };
let exported: ExportedAnswers | null = null;

/** From now on only the contents of the file are answered; no request is sent. */
export function answerFrom(held: ExportedAnswers): void {
  exported = held;
  connection.setState({ offline: true, link: 'polling', reading: true });
}

const notExported = JSON.stringify({ code: 'not_found', detail: 'This is not part of the exported file.' });

type PagedResponse = RestResponse & { total?: number; next?: string | null };

async function send(request: RestRequest): Promise<PagedResponse> {
  if (exported) {
    const text = request.method === 'GET' ? exported.answers.get(request.path) : undefined;
    return text === undefined ? { status: 404, text: notExported } : { status: 200, text };
  }
  try {
    const response = await sendRest(request, { url: '' });
    updateLink(true);
    updateFreshness(response.headers);
    const total = response.headers.get('total-count');
    return {
      status: response.status,
      text: await response.text(),
      ...(total !== null && { total: Number(total), next: nextCursor(response.headers.get('link')) }),
    };
  } catch {
    updateLink(false);
    throw unreachable();
  }
}

function nextCursor(link: string | null): string | null {
  if (!link?.startsWith('<') || !link.endsWith('>; rel="next"')) return null;
  return new URL(link.slice(1, link.lastIndexOf('>')), 'http://page').searchParams.get('cursor');
}

function refused({ status, text }: RestResponse): Problem {
  if (status === 401) connection.setState({ needsToken: true });
  return new Problem(status, problemIn(text));
}
