import type { AnyCommand } from '../kernel/command.ts';
import { refuseInput } from '../kernel/dispatch.ts';
import { isObject } from '../kernel/is-object.ts';
import type { Fault, Refusal } from '../kernel/outcome.ts';
import { readQuery } from './query.ts';

type RestParts = { params: Record<string, string>; query: Record<string, unknown>; body: unknown };

/** One flat input from path, query and body. Where they name the same thing they must agree. */
export function restInput(command: AnyCommand<never>, { params, query, body }: RestParts): object | Refusal {
  const fromQuery = readQuery(withoutBy(command, query, body), command.input.shape);
  const whole = command.rest?.body;
  if (whole !== undefined) return { ...fromQuery, ...params, [whole]: body };
  if (body !== undefined && !isObject(body))
    return refuseFaults(command, {}, [{ path: '', message: 'the body must be an object' }]);

  const faults: Fault[] = [];
  const rest: Record<string, unknown> = { ...body };
  for (const [name, value] of [...Object.entries(fromQuery), ...Object.entries(params)]) {
    if (!Object.hasOwn(rest, name)) continue;
    if (!isSameValue(rest[name], value)) {
      faults.push({
        path: name,
        message: `the body differs from the ${name in params ? 'path' : 'query'}`,
      });
    }
    delete rest[name];
  }
  const input = { ...rest, ...fromQuery, ...params };
  return faults.length > 0 ? refuseFaults(command, input, faults) : input;
}

/** Authoring names who acts in the query; where the work loop is called so, `by` is the agent that the body does not name. */
function withoutBy(
  { input: { shape } }: AnyCommand<never>,
  query: Record<string, unknown>,
  body: unknown,
): Record<string, unknown> {
  if (!('by' in query) || 'by' in shape || !('agent' in shape)) return query;
  const { by, ...others } = query;
  const isNamed = 'agent' in query || (isObject(body) && body.agent !== undefined && body.agent !== null);
  return isNamed ? others : { ...others, agent: by };
}

/** A missing agent is always reported, besides all other errors. */
function refuseFaults(command: AnyCommand<never>, { agent }: { agent?: unknown }, faults: readonly Fault[]): Refusal {
  const isNamed = !('agent' in command.input.shape) || (typeof agent === 'string' && agent.trim() !== '');
  return refuseInput(command, isNamed ? faults : [...faults, { path: 'agent', message: 'is required' }]);
}

const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase());
