import { z } from 'zod';
import type { RequiredScope } from '../kernel/access.ts';
import type { AnyCommand, Rest } from '../kernel/command.ts';
import { refusalStatus } from './refusal-status.ts';

type Json = Record<string, unknown>;
export type OpenApi = {
  openapi: '3.1.0';
  info: Json;
  security: readonly Json[];
  paths: Record<string, Json>;
  components: { schemas: Json; securitySchemes: Json };
};

/** A route that is not a command, with its hand-written OpenAPI operation. */
export type ExtraRoute = { method: string; path: string; scope: RequiredScope; operation: Json };

/** One document from the same schemas that validate and type the calls. */
export function openApiOf(
  title: string,
  version: string,
  commands: readonly AnyCommand<never>[],
  extraRoutes: readonly ExtraRoute[] = [],
): OpenApi {
  const schemas: Json = { Problem: problemSchema };
  const paths: Record<string, Json> = {};
  const add = (path: string, method: string, operation: Json) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const command of commands) {
    if (command.rest) add(command.rest.path, command.rest.method, operationOf(command, command.rest, schemas));
  }
  for (const { path, method, scope, operation } of extraRoutes) {
    const responses = { ...(operation.responses as Json), default: anyRefusal };
    add(path, method, { ...operation, security: securityOf(scope), responses });
  }
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openapi: '3.1.0',
    info: { title, version },
    security: [{}, { token: [] }],
    paths,
    components: { schemas: sorted, securitySchemes: { token: tokenScheme } },
  };
}

/** One entry per sufficient scope; the empty one because tokens may be off. */
function securityOf(scope: RequiredScope): readonly Json[] {
  if (scope === 'open') return [];
  const enough = scope === 'token' ? [] : typeof scope === 'string' ? [scope] : scope;
  return [{}, ...(enough.length === 0 ? [{ token: [] }] : enough.map((one) => ({ token: [one] })))];
}

function operationOf(command: AnyCommand<never>, rest: Rest, schemas: Json): Json {
  const input = schemaOf(command.input, 'input', schemas) as { properties?: Json; required?: string[] };
  const required = new Set(input.required);
  const inPath = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const inQuery =
    rest.query ??
    (rest.method === 'GET' ? Object.keys(input.properties ?? {}).filter((name) => !inPath.includes(name)) : []);
  const parameter = (name: string, location: 'path' | 'query') => ({
    name,
    in: location,
    required: location === 'path' || (required.has(name) && rest.method === 'GET'),
    schema: input.properties?.[name] ?? {},
  });
  // Of a call that changes something the query may stand in the body as well.
  const inBoth = inQuery.filter((name) => rest.method !== 'GET' && required.has(name));
  const elsewhere = [...inPath, ...inQuery].filter((name) => !inBoth.includes(name));
  const body = bodyOf(input, new Set(elsewhere), new Set(inBoth), rest);
  return {
    operationId: command.name,
    summary: command.description,
    security: securityOf(command.scope),
    parameters: [...inPath.map((name) => parameter(name, 'path')), ...inQuery.map((name) => parameter(name, 'query'))],
    ...(body && { requestBody: body }),
    responses: responsesOf(command, schemas),
  };
}

function bodyOf(
  input: { properties?: Json; required?: string[] },
  elsewhere: ReadonlySet<string>,
  inBoth: ReadonlySet<string>,
  rest: Rest,
): Json | undefined {
  const members = Object.entries(input.properties ?? {}).filter(([name]) => !elsewhere.has(name));
  if (rest.method === 'GET' || members.length === 0) return undefined;
  const required = (input.required ?? []).filter((name) => !elsewhere.has(name) && !inBoth.has(name));
  const schema =
    rest.body === undefined
      ? { type: 'object', properties: Object.fromEntries(members), required, additionalProperties: false }
      : input.properties?.[rest.body];
  const media = ['application/json', ...(rest.accepts ?? [])];
  return { required: required.length > 0, content: Object.fromEntries(media.map((type) => [type, { schema }])) };
}

function responsesOf(command: AnyCommand<never>, schemas: Json): Json {
  const refused = [...new Set(command.examples.flatMap(({ refused }) => (refused ? [refused] : [])))];
  const byStatus = new Map<number, string[]>();
  for (const code of refused) {
    const [status] = refusalStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = answersOf(command, schemas);
  const also = command.rest?.also;
  const refusals = [...byStatus].sort(([a], [b]) => a - b);
  return {
    ...(answers && { '2XX': { description: 'Done', content: answers } }),
    ...((answers === undefined || mayBeEmpty(command)) && { 204: { description: 'Done' } }),
    ...Object.fromEntries(
      refusals.map(([status, codes]) => [status, { description: codes.join(', '), content: problem }]),
    ),
    ...(also && {
      [also.status]: {
        description: 'Lost to another caller',
        content: { 'application/json': { schema: schemaOf(also.output, 'output', schemas) }, ...problem },
      },
    }),
    default: anyRefusal,
  };
}

const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const anyRefusal = { description: 'Any other refusal', content: problem };

/** Whether it may answer without a body. */
const mayBeEmpty = ({ output, rest }: AnyCommand<never>): boolean =>
  output.safeParse({}).success && rest?.status?.({} as never) === 204;

/** By media type; undefined for an empty answer. */
function answersOf(command: AnyCommand<never>, schemas: Json): Json | undefined {
  const documents = command.rest?.answers;
  if (documents) return Object.fromEntries(documents.map((type) => [type, {}]));
  const isNothing = command.output instanceof z.ZodObject && Object.keys(command.output.shape).length === 0;
  return isNothing ? undefined : { 'application/json': { schema: answerSchema(command, schemas) } };
}

function answerSchema(command: AnyCommand<never>, schemas: Json): unknown {
  const schema = schemaOf(command.output, 'output', schemas) as { list?: boolean; properties?: { items?: unknown } };
  return schema.list ? schema.properties?.items : schema;
}

/** JSON Schema of a zod schema; what carries an id becomes a component, said once and referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): unknown {
  const {
    $schema,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  const converted = (value: unknown) => refer(io === 'output' ? open(value) : value);
  for (const [name, definition] of Object.entries($defs)) schemas[name] = converted(definition);
  return converted(own);
}

/** New members may be added to any answer; only what is sent to us is closed. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== 'additionalProperties' || inner !== false)
      .map(([key, inner]) => [key, open(inner)]),
  );
}

function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' || typeof (value as Json).id !== 'string')
      .map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '#/components/schemas/') : refer(inner),
      ]),
  );
}

const tokenScheme = { type: 'http', scheme: 'bearer', description: 'The value of Service:Token, if set' };

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened and what to do next' },
    code: { enum: Object.keys(refusalStatus) },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};
