import { z } from 'zod';
import type { AnyCommand } from '../kernel/command.ts';
import { refuseInput } from '../kernel/dispatch.ts';
import { isObject } from '../kernel/is-object.ts';
import type { Fault, Refusal } from '../kernel/outcome.ts';
import { unwrap } from '../kernel/shape.ts';

type RestParts = { params: Record<string, string>; query: Record<string, unknown>; body: unknown };

/** One flat input from path, query and body. If both name the same thing, they must agree. */
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

/** Authoring calls name the actor in the query, as `by`. In calls of the work loop, `by` is the agent if the body names none. */
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

/** A missing agent is always reported along with all other errors. */
function refuseFaults(command: AnyCommand<never>, { agent }: { agent?: unknown }, faults: readonly Fault[]): Refusal {
  const isNamed = !('agent' in command.input.shape) || (typeof agent === 'string' && agent.trim() !== '');
  return refuseInput(command, isNamed ? faults : [...faults, { path: 'agent', message: 'is required' }]);
}

const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase());

/** Never throws, because even `//`, which is not a valid address, arrives here. */
export function queryIn(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/**
 * Query text converted to the schema's types. Text that cannot be converted stays text, so that the schema reports it
 * by name; a single member given twice becomes a list, which the schema also reports.
 */
export function readQuery(query: Readonly<Record<string, unknown>>, shape: Readonly<Record<string, z.ZodType>>) {
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const schema = shape[name];
    read[name] = schema ? convert(text, schema) : text;
  }
  return read;
}

function convert(text: unknown, schema: z.core.$ZodType): unknown {
  const type = unwrap(schema);
  if (type instanceof z.ZodArray) return [text].flat().map((item) => convert(item, type.element));
  if (typeof text !== 'string') return text;
  if (type instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
