import { z } from 'zod';
import type { RequiredScope } from '../kernel/access.ts';
import type { AnyCommand, Example, Rest } from '../kernel/command.ts';
import { isObject } from '../kernel/is-object.ts';
import { type Json, type ObjectSchema, SchemaComponents } from './openapi-schemas.ts';
import { refusalStatus } from './problem.ts';

export type OpenApi = {
  openapi: '3.1.0';
  info: Json;
  servers: readonly Json[];
  tags: readonly Json[];
  security: readonly Json[];
  paths: Record<string, Json>;
  components: Record<'schemas' | 'parameters' | 'headers' | 'responses' | 'securitySchemes', Json>;
};

/** A route that is not a command, with its OpenAPI operation. In that operation zod schemas may describe input and output. */
export type ExtraRoute = { method: string; path: string; scope: RequiredScope; operation: Operation };
type Operation = Json & { operationId: string; summary: string; requestBody?: Json; responses?: Json };

/** JSON of this shape, in an operation. */
export const jsonBody = (schema: z.ZodType): Json => ({
  required: true,
  content: { 'application/json': { schema } },
});
export const jsonAnswer = (description: string, schema: z.ZodType): Json => ({
  description,
  content: { 'application/json': { schema } },
});

function converted(described: Json, convert: (schema: z.ZodType) => Json): Json {
  const inner = (value: unknown): unknown => {
    if (value instanceof z.ZodType) return convert(value);
    return isObject(value) ? converted(value, convert) : value;
  };
  return Object.fromEntries(Object.entries(described).map(([name, value]) => [name, inner(value)]));
}

/** The service that a document describes, and its default address. */
export type Described = { title: string; version: string; server: string };

/** One document from the same schemas that validate and type the calls. */
export function openApiOf(
  { title, version, server }: Described,
  commands: readonly AnyCommand<never>[],
  extraRoutes: readonly ExtraRoute[] = [],
): OpenApi {
  const schemas = new SchemaComponents({ Problem: problemSchema });
  const paths: Record<string, Json> = {};
  const add = (path: string, method: string, operation: Json) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: { tags: [tagOf(path)], ...operation } };
  };
  const onRest = commands.flatMap((command) => (command.rest ? [{ command, rest: command.rest }] : []));
  // Answers come first: an input that differs from the answer of the same name gets a different name.
  const answered = onRest.map(({ command, rest }) => ({ command, rest, done: doneOf(command, rest, schemas) }));
  for (const { command, rest, done } of answered)
    add(rest.path, rest.method, operationOf(command, rest, done, schemas));
  for (const { path, method, scope, operation } of extraRoutes) {
    const { requestBody, responses: answers = {}, ...described } = operation;
    const responses = {
      ...usualRefusals(scope),
      ...converted(answers, (each) => schemas.answer(each)),
      default: anyRefusal,
    };
    const body = converted({ requestBody }, (each) => schemas.input(each));
    add(path, method, { ...described, ...(requestBody !== undefined && body), security: securityOf(scope), responses });
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: server, description: 'Its default address' }],
    tags: tagsOf(Object.keys(paths)),
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      parameters: usedIn(paths, 'parameters', headerParameters),
      headers: usedIn({ paths, unauthorized }, 'headers', responseHeaders),
      responses: { Unauthorized: unauthorized, Forbidden: forbidden },
      securitySchemes: { token: tokenScheme },
    },
  };
}

const usedIn = (described: object, kind: 'parameters' | 'headers', components: Json): Json => {
  const text = JSON.stringify(described);
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`#/components/${kind}/${name}"`)),
  );
};

const about = `Every error is a problem object (RFC 9457): switch on its \`code\`, show its \`detail\`, which names the next step.
A write may carry an \`Idempotency-Key\`: the same key within 24 hours returns the first answer again. Answers may gain members; a member that a call does not know is refused.`;

/** One entry for each sufficient scope; an empty entry because tokens may be off. */
function securityOf(scope: RequiredScope): readonly Json[] {
  if (scope === 'open') return [];
  const enough = scope === 'token' ? [] : typeof scope === 'string' ? [scope] : scope;
  return [{}, ...(enough.length === 0 ? [{ token: [] }] : enough.map((one) => ({ token: [one] })))];
}

function operationOf(command: AnyCommand<never>, rest: Rest, done: Json, schemas: SchemaComponents): Json {
  const input = schemas.input(command.input);
  const required = new Set(input.required);
  const inPath = pathMembers(rest);
  const inQuery =
    rest.query ??
    (rest.method === 'GET' ? Object.keys(input.properties ?? {}).filter((name) => !inPath.includes(name)) : []);
  const succeeding = command.examples.filter(({ refused }) => refused === undefined);
  const parameter = (name: string, location: 'path' | 'query') => ({
    name,
    in: location,
    required: location === 'path' || (required.has(name) && rest.method === 'GET'),
    schema: input.properties?.[name] ?? {},
    ...exampleOf(name, succeeding),
  });
  // In a call that changes something, required query members may be sent in the body instead.
  const inBoth = inQuery.filter((name) => rest.method !== 'GET' && required.has(name));
  const elsewhere = new Set([...inPath, ...inQuery].filter((name) => !inBoth.includes(name)));
  const body = bodyOf(command, rest, { input, elsewhere, inBoth, succeeding }, schemas);
  return {
    operationId: command.name,
    summary: inWords(command.name),
    description: command.description,
    security: securityOf(command.scope),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...inQuery.map((name) => parameter(name, 'query')),
      ...(command.effect === 'write' ? [headerParameter('IdempotencyKey')] : []),
      ...(rest.ifMatch === undefined ? [] : [headerParameter('IfMatch')]),
    ],
    ...(body && { requestBody: body }),
    responses: { ...done, ...refusalsOf(command, schemas), default: anyRefusal },
  };
}

const pathMembers = ({ path }: Rest): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const headerParameter = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` });
const inWords = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
const inPascalCase = (name: string): string =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function exampleOf(name: string, examples: readonly Example[]): Json {
  const values = examples.flatMap(({ input }) => Object.entries(input).filter(([member]) => member === name));
  const [found] = values.filter(([, value]) => typeof value !== 'object');
  return found ? { example: found[1] } : {};
}

type Taken = {
  input: ObjectSchema;
  /** Members in the path or the query. */
  elsewhere: ReadonlySet<string>;
  /** Members that may be in either. */
  inBoth: readonly string[];
  succeeding: readonly Example[];
};

function bodyOf(
  command: AnyCommand<never>,
  rest: Rest,
  { input, elsewhere, inBoth, succeeding }: Taken,
  schemas: SchemaComponents,
): Json | undefined {
  const members = Object.entries(input.properties ?? {}).filter(([name]) => !elsewhere.has(name));
  if (rest.method === 'GET' || members.length === 0) return undefined;
  const required = (input.required ?? []).filter((name) => !elsewhere.has(name) && !inBoth.includes(name));
  const whole = rest.body === undefined ? undefined : input.properties?.[rest.body];
  const schema = isObject(whole)
    ? whole
    : { type: 'object', properties: Object.fromEntries(members), required, additionalProperties: false };
  const shown = schemas.named(`${inPascalCase(command.name)}Body`, schema, 'input');
  const values = succeeding.map(({ title, input: given }): readonly [string, unknown] => [
    title,
    rest.body === undefined
      ? Object.fromEntries(Object.entries(given).filter(([name]) => !elsewhere.has(name)))
      : Object.entries(given).find(([name]) => name === rest.body)?.[1],
  ]);
  const examples = Object.fromEntries(
    values
      .filter(([, value]) => isObject(value) && Object.keys(value).length > 0)
      .map(([title, value]) => [title.replace(/\W+/g, '_'), { summary: title, value }]),
  );
  const described = { schema: shown, ...(Object.keys(examples).length > 0 && { examples }) };
  const others = (rest.accepts ?? []).map((type) => [type, { schema: { type: 'string' } }] as const);
  return {
    required: required.length > 0,
    content: { 'application/json': described, ...Object.fromEntries(others) },
  };
}

/** The answers of a successful call, by status. */
function doneOf(command: AnyCommand<never>, rest: Rest, schemas: SchemaComponents): Json {
  const statuses = rest.statuses ?? [typeof rest.status === 'number' ? rest.status : 200];
  const content = statuses.some((status) => status !== 204) ? answersOf(command, schemas) : undefined;
  const isList = command.output.meta()?.list === true;
  const names = new Set([
    ...Object.keys(rest.headers ?? {}),
    ...(isList ? ['total-count', 'link'] : []),
    ...(command.effect === 'read' ? ['age'] : []),
  ]);
  const headers = Object.fromEntries(
    [...names].map((name) => [headerName(name), { $ref: `#/components/headers/${headerName(name)}` }]),
  );
  const withHeaders = names.size > 0 ? { headers } : {};
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      status === 204 || content === undefined
        ? { description: 'Done' }
        : { description: status === 201 ? 'Created' : 'Done', ...withHeaders, content },
    ]),
  );
}

const headerName = (name: string): string =>
  name === 'etag' ? 'ETag' : name.replace(/(?:^|-)\w/g, (start) => start.toUpperCase());

function refusalsOf(command: AnyCommand<never>, schemas: SchemaComponents): Json {
  const refused = [...new Set(command.examples.flatMap(({ refused }) => (refused ? [refused] : [])))];
  const byStatus = new Map<number, string[]>();
  for (const code of refused) {
    const [status] = refusalStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const alternate = command.rest?.alternateResponse;
  return {
    ...usualRefusals(command.scope),
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [status, { description: codes.join(', '), content: problem }]),
    ),
    ...(alternate && {
      [alternate.status]: {
        description: 'Lost to another caller',
        content: { 'application/json': { schema: schemas.answer(alternate.output) }, ...problem },
      },
    }),
  };
}

const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const anyRefusal = { description: 'Any other refusal', content: problem };
const unauthorized = {
  description: 'token_required, token_invalid',
  headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  content: problem,
};
const forbidden = {
  description: 'scope_required, name_not_yours, host_not_allowed, origin_not_allowed',
  content: problem,
};

/** The refusals of every route. */
const usualRefusals = (scope: RequiredScope): Json => ({
  ...(scope !== 'open' && { 401: { $ref: '#/components/responses/Unauthorized' } }),
  403: { $ref: '#/components/responses/Forbidden' },
});

/** The content by media type; undefined for an empty answer. */
function answersOf(command: AnyCommand<never>, schemas: SchemaComponents): Json | undefined {
  const documents = command.rest?.responseTypes;
  if (documents)
    return Object.fromEntries(
      documents.map((type) => [type, { schema: type.startsWith('application/json') ? {} : { type: 'string' } }]),
    );
  const isNothing = command.output instanceof z.ZodObject && Object.keys(command.output.shape).length === 0;
  return isNothing ? undefined : { 'application/json': { schema: answerSchema(command, schemas) } };
}

function answerSchema({ name, output, rest }: AnyCommand<never>, schemas: SchemaComponents): unknown {
  const called = inPascalCase(name);
  if (output.meta()?.list !== true) {
    const lost = rest?.alternateResponse?.output;
    const won = lost && output instanceof z.ZodUnion ? output.options.filter((option) => option !== lost) : [output];
    const [only, ...more] = won;
    return only instanceof z.ZodType && more.length === 0
      ? schemas.named(`${called}Answer`, schemas.answer(only), 'output')
      : schemas.named(`${called}Answer`, schemas.answer(output), 'output');
  }
  const { properties } = schemas.answer(output);
  const list = isObject(properties) && isObject(properties.items) ? properties.items : {};
  return isObject(list.items) ? { ...list, items: schemas.named(`${called}Item`, list.items, 'output') } : list;
}

const tokenScheme = { type: 'http', scheme: 'bearer', description: 'The value of Service:Token, or a named token' };

export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened and what to do next' },
    code: { type: 'string', enum: [...Object.keys(refusalStatus), 'internal'] },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string' },
          message: { type: 'string' },
          node: { type: 'string', description: 'The id of the node in a plan document' },
        },
      },
    },
  },
};

const text = { type: 'string' };

/** Headers that a call may have, by the name of their component. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key within 24 hours returns the first answer again, so that a call can be retried safely.',
    schema: { ...text, minLength: 1, maxLength: 200 },
    example: '5f0c2f0e-7f5d-4c38-9f55-6d4f1f0f7a11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The version that was read (its ETag): the call is refused if there is a newer one.',
    schema: text,
    example: '"7"',
  },
};

/** Headers of answers; each name is also the name of its component. */
export const responseHeaders = {
  'Total-Count': { description: 'Number of items on all pages', schema: { type: 'integer' } },
  Link: { description: 'The next page (`rel="next"`), if there is one', schema: text },
  ETag: { description: 'The version, for `If-Match`', schema: text },
  Location: { description: 'The path of what was created', schema: text },
  Age: {
    description: 'Seconds since the store was last reached; only while it cannot be reached',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: '`Bearer`', schema: text },
};

/** The sections of the API, in the order of the reference, each with the first words of its paths below `/api`. */
const tags = {
  work: { description: 'Find, claim, report on and submit work', paths: ['plans/ready'] },
  plans: { description: 'Plans, their nodes and what proves them done', paths: ['plans'] },
  runs: { description: 'Test runs, suites and tests', paths: ['runs', 'suites', 'tests', 'ingest', 'run-tokens'] },
  'event model': { description: 'The event model that tests verify', paths: ['event-model'] },
  agents: { description: 'Agent sessions and working trees', paths: ['agents'] },
  needs: { description: 'What is waiting for a person', paths: ['needs'] },
  repositories: { description: 'Repositories and notes about them', paths: ['repositories', 'memory'] },
  messages: { description: 'Changes as they happen', paths: ['messages', 'socket'] },
  access: {
    description: 'Tokens, logins and the audit',
    paths: ['tokens', 'logins', 'login', 'logout', 'me', 'audit'],
  },
  service: { description: 'The service itself', paths: [] },
} as const satisfies Record<string, { description: string; paths: readonly string[] }>;

const ofNode = /^\/api\/plans\/\{plan\}\/nodes\/\{node\}\/(?:claim|report|release|split|withdraw|reset)$/;

/** The section of a path. */
export function tagOf(path: string): string {
  if (ofNode.test(path)) return 'work';
  const below = path.replace(/^\/api\//, '');
  const found = Object.entries(tags).find(([, { paths }]) =>
    paths.some((start) => below === start || below.startsWith(`${start}/`)),
  );
  return found?.[0] ?? 'service';
}

export function tagsOf(paths: readonly string[]): Array<{ name: string; description: string }> {
  const used = new Set(paths.map(tagOf));
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, { description }]) => ({ name, description }));
}
