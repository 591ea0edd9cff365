import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import type { AnyCommand } from '../../packages/service/src/kernel/command.ts';
import type { Started } from '../start.ts';

export type Route = {
  url: string;
  method: string;
  /** The path with a value for each `{part}`. */
  path: string;
  /** The path as the registry writes it. */
  pattern: string;
  /** Whether it takes a body; other routes ignore one. */
  takesBody: boolean;
};

type ServiceUrls = Pick<Started, 'url' | 'consoleUrl'>;

const route = (url: string, method: string, pattern: string, takesBody = method === 'POST' || method === 'PUT') => ({
  url,
  method,
  pattern,
  path: pattern.replace(/\{\w+\}/g, 'x'),
  takesBody,
});

const everywhere = ['/', '/api/health', '/api/ping', '/api/openapi.json', '/api/docs', '/nowhere', '/api/nowhere'];

/** Every route of both ports, including routes that are not commands, so that a new command is attacked from its first day. */
export function routesOf({ url, consoleUrl }: ServiceUrls): Route[] {
  const commands = (base: string, all: readonly AnyCommand<never>[]): Route[] =>
    all.flatMap(({ rest }) => (rest ? [route(base, rest.method, rest.path)] : []));
  return [
    ...commands(url, coordinationCommands as readonly AnyCommand<never>[]),
    ...commands(consoleUrl, consoleCommands as readonly AnyCommand<never>[]),
    ...[url, consoleUrl].flatMap((base) => everywhere.map((path) => route(base, 'GET', path))),
    ...[url, consoleUrl].flatMap((base) => [
      route(base, 'POST', '/api/login'),
      route(base, 'POST', '/api/logout', false),
    ]),
    route(url, 'POST', '/api/mcp'),
    route(url, 'GET', '/api/messages'),
    route(url, 'GET', '/api/socket'),
    route(url, 'POST', '/api/messages/negotiate', false),
    route(url, 'GET', '/api/licence'),
    route(consoleUrl, 'POST', '/api/ingest'),
  ];
}

/** The routes that change something. */
export const changingRoutes = (place: ServiceUrls): Route[] => routesOf(place).filter(({ method }) => method !== 'GET');

export const describeRoute = ({ method, pattern }: Route): string => `${method} ${pattern}`;
export const hostOf = (url: string): string => new URL(url).host;
export const codeOf = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { code?: string }).code;
  } catch {
    return undefined;
  }
};

/** The state that a refused request must not change. */
export async function stateOf({ call, console }: Started): Promise<unknown> {
  const plans = await call('GET', '/api/plans');
  const runs = await console('GET', '/api/runs');
  const model = await console('GET', '/api/event-model');
  return [plans.body, runs.body, model.status];
}
