import { openApiOf } from '../packages/service/src/edge/openapi.ts';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';

type Response = { content?: Record<string, unknown> };
type Operation = { responses: Record<string, Response> };

/** Why an answer is none that the reference tells of; undefined where it is. */
export function undocumentedAnswer(
  command: AnyCommand<never>,
  { status, headers }: { status: number; headers: Headers },
) {
  const [methods = {}] = Object.values(openApiOf('', '', [command]).paths);
  const [operation] = Object.values(methods) as Operation[];
  const { responses = {} } = operation ?? {};
  const told = responses[status] ?? (status < 300 ? responses['2XX'] : responses.default);
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const isTold = type === '' ? told !== undefined && told.content === undefined : type in (told?.content ?? {});
  return isTold ? undefined : `the reference of ${command.name} tells of no ${status} ${type}`;
}
