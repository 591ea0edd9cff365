import { send } from '../raw-http.ts';
import type { Started } from '../start.ts';
import { codeOf, describeRoute, hostOf, routesOf } from './routes.ts';

/** The routes that admit a page of another origin, or invite it by CORS; there should be none. */
export async function routesOpenToStrangers(service: Pick<Started, 'url' | 'consoleUrl'>): Promise<string[]> {
  const origins = [
    'http://evil.example',
    'null',
    'http://localhost:9999',
    `http://127.0.0.1.evil.example:${new URL(service.url).port}`,
  ];
  const wrong: string[] = [];
  for (const route of routesOf(service)) {
    const { url, method, path } = route;
    for (const origin of origins) {
      const { status, text, headers } = await send(url, method, path, { host: hostOf(url), origin });
      const refused = status === 403 && codeOf(text) === 'origin_not_allowed';
      if (!refused || headers['access-control-allow-origin'] !== undefined)
        wrong.push(`${describeRoute(route)} ${origin} ${status}`);
    }
  }
  return wrong;
}
