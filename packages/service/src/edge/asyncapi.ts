import type { AnyCommand } from '../kernel/command.ts';
import { messages } from '../kernel/messages.ts';
import { socketPath } from '../kernel/service-paths.ts';
import { hubPath } from './hub/server-sent-events.ts';
import { type Described, problemSchema } from './openapi.ts';
import { type Json, SchemaComponents } from './openapi-schemas.ts';

const ref = (to: string): Json => ({ $ref: `#/${to}` });
const text = { type: 'string' };

/** The messages of the hub and the calls on a socket, as AsyncAPI describes a service that sends and receives. */
export function asyncApiOf({ title, version, server }: Described, commands: readonly AnyCommand<never>[]): object {
  const schemas = new SchemaComponents({ Problem: problemSchema, CloudEvent: cloudEvent, RpcId: rpcId });
  const hubMessages = Object.entries(messages).map(([type, { sentWhen, data }]) => ({
    name: type,
    message: { name: type, title: type, summary: `Sent when ${sentWhen}.`, contentType: 'application/json' },
    payload: { allOf: [schemaRef('CloudEvent'), messageSchema(type, schemas.answer(data))] },
  }));
  const answers = commands.map((command) => answerOf(command, schemas));
  const calls = commands.map((command) => callOf(command, schemas));
  const rpc = [...calls, ...answers, ...socketOwn, ...notificationsOf(hubMessages.map(({ name }) => name))];
  const all = [...hubMessages, ...rpc];
  const onSocket = Object.fromEntries(rpc.map(({ name }) => [name, ref(`components/messages/${name}`)]));
  return {
    asyncapi: '3.0.0',
    info: { title, version, description: about, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: { coordination: { host: new URL(server).host, protocol: 'ws', description: 'Its default address' } },
    channels: {
      hub: {
        address: hubPath,
        description:
          'Every change in one sequence: one CloudEvent in each text frame. The same address answers server-sent events and the SignalR JSON protocol.',
        messages: Object.fromEntries(hubMessages.map(({ name }) => [name, ref(`components/messages/${name}`)])),
        bindings: { ws: { method: 'GET', query: { type: 'object', properties: narrowing } } },
      },
      socket: {
        address: socketPath,
        description: 'JSON-RPC 2.0: every command by its name, many at a time; several may be in one frame, as a list.',
        messages: onSocket,
        bindings: { ws: { method: 'GET' } },
      },
    },
    operations: {
      announceChange: {
        action: 'send',
        channel: ref('channels/hub'),
        summary: 'Announces a change.',
        messages: hubMessages.map(({ name }) => ref(`channels/hub/messages/${name}`)),
      },
      ...Object.fromEntries(
        ['notification', 'bookmark'].map((name) => [
          name,
          { action: 'send', channel: ref('channels/socket'), messages: [ref(`channels/socket/messages/${name}`)] },
        ]),
      ),
      ...Object.fromEntries(
        [...commands.map(({ name }) => name), 'subscribe', 'unsubscribe'].map((name) => [name, operationOf(name)]),
      ),
    },
    components: {
      messages: Object.fromEntries(all.map(({ name, message, payload }) => [name, { ...message, payload }])),
      schemas: schemas.all(),
    },
  };
}

const about = 'Messages sent as things happen, and calls over a socket. openapi.json has the same commands over REST.';

const operationOf = (name: string): Json => ({
  action: 'receive',
  channel: ref('channels/socket'),
  messages: [ref(`channels/socket/messages/${requestName(name)}`)],
  reply: {
    channel: ref('channels/socket'),
    messages: [ref(`channels/socket/messages/${answerName(name)}`), ref('channels/socket/messages/refusal')],
  },
});

const schemaRef = (name: string): Json => ref(`components/schemas/${name}`);
const requestName = (command: string): string => `${command}_request`;
const answerName = (command: string): string => `${command}_answer`;

type SocketMessage = { name: string; message: Json; payload: Json };

const messageSchema = (type: string, data: Json): Json => ({
  type: 'object',
  required: ['type', 'data'],
  properties: { type: { const: type }, data },
});

const rpcMessage = (name: string, properties: Json, required: readonly string[], summary?: string): SocketMessage => ({
  name,
  message: { name, title: name.replaceAll('_', ' '), ...(summary !== undefined && { summary }) },
  payload: {
    type: 'object',
    required: ['jsonrpc', ...required],
    properties: { jsonrpc: { const: '2.0' }, ...properties },
  },
});

function callOf({ name, description, input, effect }: AnyCommand<never>, schemas: SchemaComponents): SocketMessage {
  const { properties, ...whole } = schemas.input(input);
  const key = { ...text, description: 'The same key within 24 hours returns the first answer again' };
  const params =
    effect === 'write' ? { ...whole, properties: { ...properties, idempotencyKey: key } } : { ...whole, properties };
  const members = { id: schemaRef('RpcId'), method: { const: name }, params };
  return rpcMessage(requestName(name), members, ['method'], description);
}

function answerOf({ name, output, rest }: AnyCommand<never>, schemas: SchemaComponents): SocketMessage {
  if (rest?.responseTypes)
    return rpcMessage(answerName(name), { id: schemaRef('RpcId'), result: text }, ['id', 'result']);
  const answer = schemas.answer(output);
  if (output.meta()?.list !== true)
    return rpcMessage(answerName(name), { id: schemaRef('RpcId'), result: answer }, ['id', 'result']);
  const { items = {} } = Object(answer.properties);
  return rpcMessage(answerName(name), { id: schemaRef('RpcId'), result: items, page }, ['id', 'result']);
}

const rpcId = { type: ['string', 'number', 'null'] };
const page = {
  type: 'object',
  description: 'Where a list continues',
  properties: { total: { type: 'integer' }, next: { type: ['string', 'null'] } },
};

const cloudEvent = {
  type: 'object',
  description: 'CloudEvents 1.0. Ids grow by one; a filtered subscription sees gaps.',
  required: ['specversion', 'id', 'source', 'type', 'time', 'data'],
  properties: {
    specversion: { const: '1.0' },
    id: text,
    source: text,
    type: text,
    subject: text,
    time: { ...text, format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    data: { type: 'object' },
  },
};

const names = (description: string) => ({ type: ['string', 'array'], items: text, description });
const narrowing = {
  types: names('Only these types'),
  plan: names('Only messages about this plan'),
  runId: names('Only messages about this run'),
  after: { ...text, description: 'Resume after this id; `reset` comes first when that is no longer possible' },
};

/** The methods of a socket that are not commands. */
const socketOwn: readonly SocketMessage[] = [
  rpcMessage(
    'refusal',
    {
      id: schemaRef('RpcId'),
      error: {
        type: 'object',
        required: ['code', 'message', 'data'],
        properties: { code: { type: 'integer' }, message: text, data: schemaRef('Problem') },
      },
    },
    ['id', 'error'],
    'A command refused: the HTTP status as the code, and the problem object.',
  ),
  rpcMessage(
    requestName('subscribe'),
    { id: schemaRef('RpcId'), method: { const: 'subscribe' }, params: { type: 'object', properties: narrowing } },
    ['method'],
    'Messages of the hub come on this socket from now on.',
  ),
  rpcMessage(
    answerName('subscribe'),
    { id: schemaRef('RpcId'), result: { type: 'object', properties: { after: text } } },
    ['id', 'result'],
  ),
  rpcMessage(requestName('unsubscribe'), { id: schemaRef('RpcId'), method: { const: 'unsubscribe' } }, ['method']),
  rpcMessage(answerName('unsubscribe'), { id: schemaRef('RpcId'), result: { type: 'object' } }, ['id', 'result']),
];

const notificationsOf = (types: readonly string[]): readonly SocketMessage[] => [
  rpcMessage(
    'notification',
    {
      method: { const: 'message' },
      params: { anyOf: types.map((type) => ref(`components/messages/${type}/payload`)) },
    },
    ['method', 'params'],
    'A message of the hub.',
  ),
  rpcMessage(
    'bookmark',
    { method: { const: 'bookmark' }, params: { type: 'object', properties: { id: text } } },
    ['method', 'params'],
    'The id to resume after.',
  ),
];
