import { openApiOf } from '../packages/service/src/edge/openapi.ts';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';

type Response = { $ref?: string; content?: Record<string, unknown> };
type Operation = { responses: Record<string, Response> };

/** Why an answer differs from its description in the reference; undefined if it does not. */
export function undocumentedAnswer(
  command: AnyCommand<never>,
  { status, headers }: { status: number; headers: Headers },
) {
  const { paths, components } = openApiOf({ title: '', version: '', server: 'http://localhost' }, [command]);
  const [methods = {}] = Object.values(paths);
  const [operation] = Object.values(methods) as Operation[];
  const { responses = {} } = operation ?? {};
  const listed = responses[status] ?? (status < 300 ? undefined : responses.default);
  const shared = listed?.$ref?.replace('#/components/responses/', '');
  const told = shared === undefined ? listed : (components.responses[shared] as Response);
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const isTold = type === '' ? told !== undefined && told.content === undefined : type in (told?.content ?? {});
  return isTold ? undefined : `the reference of ${command.name} does not list ${status} ${type}`;
}
