import { restRequest } from '../../../packages/service/src/browser/rest-request.ts';
import { routeOf } from '../../../packages/service/src/browser/route-of.ts';
import { consoleCommands } from '../../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../../packages/service/src/coordination/registry.ts';
import type { AnyCommand } from '../../../packages/service/src/kernel/command.ts';
import type { Random } from '../../random.ts';
import { recorded } from '../../recorded-run.ts';
import { breakBytes, type Json, mutate } from './mutate.ts';

export type Ask = {
  /** `socket`: bytes after the upgrade; `frame`: the body as frames of a well-behaved client, 1 MiB each. */
  door: 'rest' | 'mcp' | 'ingest' | 'stream' | 'socket' | 'frame' | 'bytes';
  port: 'coordination' | 'console';
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
};

type Command = AnyCommand<never>;
type Input = Record<string, Json>;

const ports = {
  coordination: coordinationCommands as readonly Command[],
  console: consoleCommands as readonly Command[],
};
const tools = ports.coordination.filter(({ mcp }) => mcp !== false);

/** The inputs of the commands' own examples; all other requests are variations of them. */
const samples = new Map(
  Object.values(ports)
    .flat()
    .map((command) => [command, [{}, ...command.examples.map(({ input }) => input)] as Input[]]),
);
const given = Object.values(ports)
  .flat()
  .flatMap(({ examples }) => examples.flatMap((example) => example.given ?? []));
for (const [name, input] of given) {
  const command = ports.coordination.find((one) => one.name === name);
  if (command) samples.get(command)?.push(input as Input);
}
const words = [...samples.values()].flat().flatMap((input) => Object.values(input));

function inputOf(command: Command, random: Random): Input {
  let input: Json = random.pick(samples.get(command) ?? [{}]);
  // The members of another command under this command's name.
  if (random.chance(0.2))
    input = { ...input, [random.pick(['x', ...Object.keys(command.input.shape)])]: random.pick(words) };
  for (let times = random.below(4); times > 0; times -= 1) input = mutate(input, random, words);
  const object = typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {};
  // Waiting calls are shortened.
  if ('timeoutSeconds' in command.input.shape) object.timeoutSeconds = random.chance(0.9) ? 0.01 : -1;
  return object;
}

const json = { 'content-type': 'application/json' };
const types = ['text/plain', 'application/json; charset=utf-16', 'application/yaml', 'multipart/form-data', 'x', ''];

function headersOf(random: Random, mediaType = 'application/json'): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': random.chance(0.05) ? random.pick(types) : mediaType };
  if (random.chance(0.1)) headers['idempotency-key'] = random.pick(['k1', 'k2', 'k3', 'x'.repeat(201), ' ']);
  if (random.chance(0.02)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'br']);
  if (random.chance(0.02)) headers.accept = random.pick(['text/html', '*/*', 'application/xml']);
  if (random.chance(0.02)) headers.origin = random.pick(['null', 'http://evil.example', 'http://localhost:1']);
  if (random.chance(0.01)) headers.authorization = random.pick(['Bearer x', 'Basic eA==', 'Bearer']);
  return headers;
}

const bytesOf = (text: string, random: Random): Buffer =>
  random.chance(0.08) ? breakBytes(Buffer.from(text), random) : Buffer.from(text);

function rest(random: Random): Ask {
  const port = random.chance(0.7) ? 'coordination' : 'console';
  const { command, rest } = random.pick(
    ports[port].flatMap((one) => (one.rest ? [{ command: one, rest: one.rest }] : [])),
  );
  const input = inAddress(command, inputOf(command, random));
  for (const [, member = ''] of rest.path.matchAll(/\{(\w+)\}/g)) input[member] ??= 'x';
  const { method, path, body = '', mediaType } = restRequest(routeOf(rest), input);
  const strange = random.chance(0.03) ? random.pick(['?', '//', '/..%2f..', '%00', '?a=1&a=2', '?%F', ';x', '#']) : '';
  return {
    door: 'rest',
    port,
    method: random.chance(0.03) ? random.pick(['GET', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE']) : method,
    path: path + strange,
    headers: headersOf(random, mediaType),
    body: bytesOf(body, random),
  };
}

/** A part of an address is text without half characters. */
function inAddress({ rest }: Command, input: Input): Input {
  const stands = (member: string) =>
    rest?.method === 'GET' || rest?.path.includes(`{${member}}`) || rest?.query?.includes(member);
  const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
  const entries = Object.entries(input).map(([member, value]) => [member, stands(member) ? text(value) : value]);
  return Object.fromEntries(entries);
}

const mcpHeaders = { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

function mcp(random: Random): Ask {
  const tool = random.pick(tools);
  const params: Json = { name: tool.name, arguments: inputOf(tool, random) };
  const id: Json = random.chance(0.9)
    ? random.below(1000)
    : random.pick<Json>([null, {}, [], '', 1.5, 'x'.repeat(9999)]);
  let message: Json = { jsonrpc: '2.0', id, method: 'tools/call', params };
  if (random.chance(0.1))
    message = { ...message, method: random.pick(['tools/list', 'ping', 'initialize', 'x', '', '__proto__']) };
  if (random.chance(0.2)) message = mutate(message, random, words);
  if (random.chance(0.05)) message = Array.from({ length: random.below(20) }, () => message);
  const headers = random.chance(0.9) ? mcpHeaders : { ...mcpHeaders, ...headersOf(random) };
  const path = random.pick(['/api/mcp', '/api/mcp', '/api/mcp', '/api/mcp?tools=work', '/api/mcp?tools=x']);
  return {
    door: 'mcp',
    port: 'coordination',
    method: 'POST',
    path,
    headers,
    body: bytesOf(JSON.stringify(message), random),
  };
}

function ingest(random: Random): Ask {
  const events = Array.from({ length: 1 + random.below(8) }, () => {
    let event = random.pick(recorded) as Json;
    if (random.chance(0.6)) event = { ...(event as Input), runId: `run-${random.below(20)}` };
    for (let times = random.below(3); times > 0; times -= 1) event = mutate(event, random, words);
    return event;
  });
  const batch: Json = random.chance(0.8) ? { events } : random.chance(0.5) ? events : mutate({ events }, random, words);
  const text = JSON.stringify(batch, null, random.pick([0, 0, 0, 2]));
  return {
    door: 'ingest',
    port: 'console',
    method: 'POST',
    path: '/api/ingest',
    headers: headersOf(random),
    body: bytesOf(text, random),
  };
}

const queries = [
  '',
  '?after=x',
  '?after=-1',
  '?types=run_changed',
  '?types=',
  '?id=1',
  '?plan=%00',
  '?after=1&after=2',
];

function hub(random: Random): Ask {
  const door = random.chance(0.5) ? 'stream' : 'socket';
  const after = random.chance(0.3) ? { 'last-event-id': random.pick(['x', '1', '', '9'.repeat(99)]) } : {};
  const frames = Array.from({ length: random.below(6) }, () => frame(random));
  const path = `/api/messages${random.pick(queries)}`;
  const headers = { accept: 'text/event-stream', ...after } as Record<string, string>;
  return { door, port: 'coordination', method: 'GET', path, headers, body: Buffer.concat(frames) };
}

function frame(random: Random): Buffer {
  const said = ['{"protocol":"json","version":1}\u001e', '{"type":6}\u001e', '{"type":1,"target":"x"}\u001e', '{', 'x'];
  const text = Buffer.from(random.chance(0.8) ? random.pick(said) : 'y'.repeat(random.below(20_000)));
  const first = random.chance(0.7) ? 0x81 : random.below(256);
  const length = text.length < 126 ? [text.length | 0x80] : [126 | 0x80, text.length >> 8, text.length & 255];
  const whole = Buffer.concat([Buffer.from([first, ...length, 0, 0, 0, 0]), text]);
  return random.chance(0.2) ? breakBytes(whole, random) : whole;
}

/** A request whose very bytes are broken. */
function bytes(random: Random): Ask {
  const ask = random.pick([rest, ingest, mcp])(random);
  const { port, method, path } = ask;
  const lines = Object.entries({ Host: 'localhost', ...ask.headers, 'Content-Length': ask.body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const whole = Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`), ask.body]);
  return { door: 'bytes', port, method, path, headers: {}, body: breakBytes(whole, random) };
}

/** The request with that number. The grammar contains every command of both registries automatically. */
export function askOf(random: Random): Ask {
  const roll = random.next();
  if (roll < 0.5) return rest(random);
  if (roll < 0.72) return mcp(random);
  if (roll < 0.9) return ingest(random);
  return roll < 0.94 ? hub(random) : bytes(random);
}
